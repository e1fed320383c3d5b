#!/usr/bin/env python3
"""What CPython reads of its context while it renders the corpus: one JSON line a template.

The folder of the corpus is argv[1]; each line of standard input is a template with the names that are reported as its
variables and with inputs of our own: {"template", "reported", "witnesses"}. A name is asked for where
Context.resolve_or_missing gets it. It is read where its value is used: compiled templates ask for a name at the start
of a frame as soon as one branch assigns it, and make an Undefined of it where it is read without a value. A name that
an input holds is read if it is read once the input lacks it. What is asked for and not reported gets values of three
kinds, all such names together: a render that then differs has been changed by a variable that is missing.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle", "jinja"))
import oracle  # noqa: E402
from jinja2.utils import missing  # noqa: E402

ADDRESS = re.compile("0x[0-9a-f]+")
VALUES = ["a text", True, [{"role": "user", "content": "a message"}]]


class Watch:
    """The names that a render asks for, and those that it reads without a value."""

    def __init__(self, ctu):
        import jinja2.runtime

        self.ctu = ctu
        self.asked = set()
        self.read = set()
        self.undefined = jinja2.runtime.Undefined
        resolve = jinja2.runtime.Context.resolve_or_missing

        def resolve_or_missing(context, key):
            if key not in context.vars and key not in context.environment.globals:
                self.asked.add(key)
            return resolve(context, key)

        jinja2.runtime.Context.resolve_or_missing = resolve_or_missing

    def make_undefined(self, hint=None, obj=missing, name=None, **rest):
        if hint is None and obj is missing and name is not None:
            self.read.add(name)
        return self.undefined(hint=hint, obj=obj, name=name, **rest)

    def compile(self, source):
        template = self.ctu._compile_jinja_template(source)
        template.environment.undefined = self.make_undefined
        return template

    def render(self, template, values):
        """The text, or the error, and what was asked for and read."""
        self.asked, self.read = set(), set()
        try:
            text = template.render(**values)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        return ADDRESS.sub("0x0", text), self.asked, self.read


def answer(watch, source, inputs, reported, witnesses):
    try:
        template = watch.compile(source)
    except Exception as error:
        return {"refused": str(error)}
    asked, read, changed, renders = set(), set(), [], 0
    for name, text in inputs:
        base, names, absent = watch.render(template, json.loads(text))
        asked |= names
        read |= absent
        given = json.loads(text)
        for held in names & given.keys():
            without = {key: value for key, value in json.loads(text).items() if key != held}
            read |= watch.render(template, without)[2] & {held}
        unreported = sorted(names - given.keys() - reported)
        for value in VALUES if unreported else []:
            renders += 1
            other = watch.render(template, {**json.loads(text), **{key: value for key in unreported}})[0]
            if other != base:
                changed.append({"conversation": name, "value": value})
    shown = [variable for variable, text in witnesses if variable in watch.render(template, json.loads(text))[2]]
    return {"asked": sorted(asked), "read": sorted(read), "changed": changed, "renders": renders, "shown": shown}


def main():
    corpus = sys.argv[1]
    oracle._FixedClock.fixed = oracle._FixedClock(2026, 1, 31)
    watch = Watch(oracle._setup())
    with open(os.path.join(corpus, "conversations.json"), encoding="utf-8") as file:
        conversations = {name: json.dumps(value) for name, value in json.load(file).items()}
    inputs = {}
    with open(os.path.join(corpus, "cases.jsonl"), encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            name = case["conversation"]
            inputs.setdefault(case["templateFile"], []).append((name, conversations[name]))
    for line in sys.stdin:
        row = json.loads(line)
        name = row["template"]
        with open(os.path.join(corpus, "templates", name), encoding="utf-8", newline="") as file:
            source = file.read()
        witnesses = [(each["variable"], json.dumps(each["input"])) for each in row["witnesses"]]
        found = answer(watch, source, inputs.get(name, []), set(row["reported"]), witnesses)
        print(json.dumps({"template": name, **found}), flush=True)


if __name__ == "__main__":
    main()
