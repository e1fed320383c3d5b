/** The command line's options, read into what they name; a mistake is a usage error. */
import { InvalidArgumentError } from "commander";
import { SUBJECTS, WORKLOAD_NAMES, type Subject } from "./subjects.js";
import { ENGINE_NAMES } from "./worker/names.js";

export function subjects(text: string): readonly Subject[] {
  return listed(text).map((name) => {
    const found = SUBJECTS.find((subject) => subject.name === name);
    return (
      found ??
      unknown(
        "template",
        name,
        SUBJECTS.map((subject) => subject.name),
      )
    );
  });
}

export function workloadNames(text: string): readonly string[] {
  return listed(text).map((name) =>
    WORKLOAD_NAMES.includes(name) ? name : unknown("workload", name, WORKLOAD_NAMES),
  );
}

/** The text is always among them: the others are compared with it. */
export function engineNames(text: string): readonly string[] {
  const wanted = listed(text).map((name) =>
    ENGINE_NAMES.includes(name) ? name : unknown("engine", name, ENGINE_NAMES),
  );
  return ENGINE_NAMES.filter((name) => name === "text" || wanted.includes(name));
}

/** Each --node adds one. */
export function nodes(path: string, before: readonly string[] = []): readonly string[] {
  return [...before, path];
}

function listed(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim());
}

function unknown(kind: string, name: string, known: readonly string[]): never {
  throw new InvalidArgumentError(`There is no ${kind} ${name}; there are ${known.join(", ")}.`);
}
