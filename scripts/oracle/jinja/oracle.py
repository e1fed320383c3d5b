#!/usr/bin/env python3
"""Reference oracle for the Hugging Face chat-template dialect of Jinja.

Reads JSON lines on stdin (or the file given as argv[1]) and writes JSON lines on stdout.
It renders with transformers' own compile function, so the environment is the real one
(ImmutableSandboxedEnvironment, trim_blocks, lstrip_blocks, generation + loopcontrols, tojson override,
raise_exception, strftime_now, restricted dict/namespace). scripts/oracle/engines.ts writes the rows and reads the results.
"""
import datetime as _dt
import json
import multiprocessing as mp
import os
import resource
import sys
import traceback

TIME_LIMIT = float(os.environ.get("ORACLE_TIME_LIMIT", "5"))          # seconds a case, hard kill
MEMORY_LIMIT = int(os.environ.get("ORACLE_MEMORY_MB", "1500")) << 20  # address space over the start
OUTPUT_LIMIT = int(os.environ.get("ORACLE_OUTPUT_CHARS", str(4 << 20)))


class _Limit(Exception):
    pass


class _FixedClock(_dt.datetime):
    fixed = None

    @classmethod
    def now(cls, tz=None):
        return cls.fixed if cls.fixed is not None else super().now(tz)


def _setup():
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import transformers.utils.chat_template_utils as ctu

    ctu.datetime = _FixedClock  # the name strftime_now looks up
    return ctu


def _template_lineno(exc):
    """Line in the template of the innermost template frame, or None."""
    line = None
    for frame in traceback.extract_tb(exc.__traceback__):
        if frame.filename == "<template>" or frame.filename == "<unknown>":
            line = frame.lineno
    return line


def _error(exc, phase):
    out = {"ok": False, "error": str(exc), "type": type(exc).__name__, "phase": phase}
    line = getattr(exc, "lineno", None) if phase == "parse" else _template_lineno(exc)
    if isinstance(line, int):
        out["lineno"] = line
    return out


def run_case(ctu, case):
    import jinja2

    clock = case.get("now")  # "2024-07-26T13:14:15.678901"
    _FixedClock.fixed = _FixedClock.fromisoformat(clock) if clock else None
    src = case["template"]
    try:
        template = ctu._compile_jinja_template(src)
    except jinja2.TemplateSyntaxError as e:
        return _error(e, "parse")
    except Exception as e:  # e.g. RecursionError, SyntaxError of the generated Python
        return _error(e, "parse")
    want_spans = bool(case.get("generation_spans"))
    try:
        if case.get("mode", "jinja") == "jinja":
            ctx = case.get("context") or {}
            if want_spans:
                blocks, spans = [], []
                with template.environment.activate_tracker(blocks, spans):
                    for b in template.generate(**ctx):
                        blocks.append(b)
                output = "".join(blocks)
            else:
                output, spans = template.render(**ctx), []
        else:
            # what PreTrainedTokenizerBase.apply_chat_template(tokenize=False) does
            conv = case["conversation"]
            msgs = case.get("messages", conv.get("messages") if isinstance(conv, dict) else conv)
            opt = conv if isinstance(conv, dict) else case
            normalize = getattr(ctu, "_normalize_chat_messages", lambda m: m)  # absent before transformers 5
            messages = normalize(msgs) if opt.get("normalize", True) else msgs
            cont = opt.get("continue_final_message", False)
            if cont and opt.get("add_generation_prompt"):
                raise ValueError("continue_final_message and add_generation_prompt are not compatible.")
            kwargs = {**(opt.get("special_tokens") or {}), **(opt.get("kwargs") or {})}
            rendered, spans = ctu.render_jinja_template(
                conversations=[messages],
                tools=opt.get("tools"),
                documents=opt.get("documents"),
                chat_template=src,
                return_assistant_tokens_mask=want_spans,
                continue_final_message=cont,
                add_generation_prompt=opt.get("add_generation_prompt", False),
                **kwargs,
            )
            output, spans = rendered[0], (spans[0] if spans else [])
        if len(output) > OUTPUT_LIMIT:
            return {"ok": False, "error": "output of %d characters" % len(output), "type": "OutputLimit", "phase": "render"}
        out = {"ok": True, "output": output}
        if want_spans:
            out["generation_spans"] = [list(s) for s in spans]
        return out
    except Exception as e:
        return _error(e, "render")


def _worker(conn):
    ctu = _setup()
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_LIMIT, used + MEMORY_LIMIT))
    conn.send("ready")
    while True:
        try:
            case = conn.recv()
        except EOFError:
            return
        try:
            res = run_case(ctu, case)
        except MemoryError:
            res = {"ok": False, "error": "", "type": "MemoryError", "phase": "render"}
        except BaseException as e:  # noqa: BLE001
            res = _error(e, "render")
        try:
            conn.send(res)
        except MemoryError:
            conn.send({"ok": False, "error": "", "type": "MemoryError", "phase": "render"})


class Oracle:
    """Runs cases in a child process; a case over the time limit costs only that child."""

    def __init__(self):
        self.child = None

    def _start(self):
        here, there = mp.Pipe()
        self.child = mp.get_context("fork").Process(target=_worker, args=(there,), daemon=True)
        self.child.start()
        there.close()
        self.conn = here
        if not self.conn.poll(120) or self.conn.recv() != "ready":
            raise RuntimeError("oracle worker did not start")

    def _stop(self):
        self.child.kill()
        self.child.join()
        self.conn.close()
        self.child = None

    def run(self, case):
        if self.child is None:
            self._start()
        try:
            self.conn.send(case)
            if self.conn.poll(float(case.get("time_limit", TIME_LIMIT))):
                return self.conn.recv()
            self._stop()
            return {"ok": False, "error": "time limit", "type": "TimeLimit", "phase": "render"}
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self._stop()
            return {"ok": False, "error": "worker died", "type": "Crash", "phase": "render"}

    def close(self):
        if self.child is not None:
            self._stop()


def dump(obj):
    s = json.dumps(obj, ensure_ascii=False)
    try:
        s.encode("utf-8")
        return s
    except UnicodeEncodeError:  # lone surrogates
        return json.dumps(obj)


def main(argv):
    src = open(argv[1], encoding="utf-8") if len(argv) > 1 else sys.stdin
    oracle = Oracle()
    for line in src:
        if line.strip():
            case = json.loads(line)
            print(dump({"id": case.get("id"), **oracle.run(case)}), flush=True)
    oracle.close()


if __name__ == "__main__":
    main(sys.argv)
