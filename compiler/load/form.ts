/** In what form a file or folder holds its templates. */
import { isDirectory, withFile } from "./files.js";
import { formOfName, formOfText, type Form } from "./told.js";

/** The form that the name tells, else the content; a file of unknown form is a template whose dialect must be given. */
export async function formOf(path: string, isDialectGiven: boolean): Promise<Form> {
  if (await isDirectory(path)) return "folder";
  const named = formOfName(path);
  if (named !== undefined) return named;
  const told = formOfText(await startOf(path));
  return isDialectGiven && told !== "gguf" ? "template" : told;
}

const START_BYTES = 4096;

function startOf(path: string): Promise<string> {
  return withFile(path, async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  });
}
