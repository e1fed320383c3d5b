#!/usr/bin/env python3
"""Measures Jinja2 with transformers' own environment; answers a JSON line a request, as scripts/bench/server.ts sends them."""
import hashlib
import json
import os
import platform
import sys
import time

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
from transformers.utils.chat_template_utils import _compile_jinja_template  # noqa: E402

ready = {}


def prepare(path):
    ready.clear()
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    if job["dialect"] != "jinja":
        return {}
    try:
        with open(job["template"], encoding="utf-8", newline="") as file:
            template = _compile_jinja_template(file.read())
        text = template.render(**job["input"])
    except Exception as error:
        return {"cpython": {"error": str(error)}}
    ready["cpython"] = lambda: template.render(**job["input"]).encode()
    return {"cpython": {"sha256": hashlib.sha256(text.encode()).hexdigest()}}


def measure(run, ms):
    start, runs, batch = time.process_time(), 0, 1
    while True:
        for _ in range(batch):
            run()
        runs += batch
        batch *= 2
        spent = time.process_time() - start
        if spent * 1000 >= ms:
            return spent * 1e6 / runs


def answer(request):
    if "job" in request:
        return {"version": platform.python_version(), "results": prepare(request["job"])}
    return {"us": measure(ready[request["engine"]], request["ms"])}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
