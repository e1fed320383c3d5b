/** Jinja2 in CPython, with transformers' environment: transformers' own where it is installed. */
import type { Engine } from "./engine.js";
import { EngineError, parseAnswers } from "./engine.js";
import { runProgram } from "./process.js";

const SECONDS = 120;

export const cpython: Engine = {
  dialect: "jinja",
  async ask({ template, inputs, now, python }) {
    const input = JSON.stringify({ template, inputs, now });
    try {
      const text = await runProgram({
        command: python,
        args: ["-c", PROGRAM],
        input,
        env: { PYTHONIOENCODING: "utf-8", HF_HUB_OFFLINE: "1", TRANSFORMERS_VERBOSITY: "error" },
        seconds: SECONDS,
      });
      return parseAnswers(text, inputs.length);
    } catch (error) {
      if (
        error instanceof EngineError &&
        /No module named '(jinja2|markupsafe)/.test(error.message)
      )
        throw new EngineError(`${python} has no Jinja2: run \`${python} -m pip install jinja2\``);
      throw error;
    }
  },
};

/** The environment stands here as well, for a Python that has Jinja2 and no transformers. */
const PROGRAM = String.raw`
import base64, datetime, json, platform, sys, traceback
import jinja2, jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

job = json.load(sys.stdin)
clock = datetime.datetime.fromisoformat(job["now"])
version = "CPython %s, Jinja2 %s" % (platform.python_version(), jinja2.__version__)

class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return clock

class Generation(jinja2.ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("pass_on"), [], [], body).set_lineno(line)

    def pass_on(self, caller):
        return caller()

class Dict:
    def __call__(self, *args, **kwargs):
        return dict(*args, **kwargs)

    def fromkeys(self, *args, **kwargs):
        return dict.fromkeys(*args, **kwargs)

class Namespace(jinja2.utils.Namespace):
    def __init__(*args, **kwargs):
        self, args = args[0], args[1:]
        values = dict(*args, **kwargs)
        for name in values:
            Namespace.check(name)
        jinja2.utils.Namespace.__init__(self, values)

    def __setitem__(self, name, value):
        Namespace.check(name)
        jinja2.utils.Namespace.__setitem__(self, name, value)

    @staticmethod
    def check(name):
        if isinstance(name, str) and name.startswith("_"):
            raise jinja2.exceptions.SecurityError(
                "Chat templates cannot store underscore-prefixed attributes on a namespace, but got %r. "
                "Please rename the attribute." % name)

def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)

def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

def own_compile(source):
    env = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.globals.update(
        raise_exception=raise_exception, strftime_now=lambda format: clock.strftime(format),
        dict=Dict(), namespace=Namespace)
    return env.from_string(source)

try:
    import transformers
    import transformers.utils.chat_template_utils as theirs
    theirs.datetime = Clock
    compile_template = theirs._compile_jinja_template
    version += ", transformers " + transformers.__version__
except (ImportError, AttributeError):
    compile_template = own_compile

def failure(error, phase):
    line = getattr(error, "lineno", None)
    if phase == "render":
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "<template>"]
        line = lines[-1] if lines else None
    return {"phase": phase, "error": str(error), "line": line}

def answer(template, texts):
    try:
        variables = {}
        for text in texts:
            variables.update(json.loads(text))
        output = template.render(**variables)
        # A lone surrogate is U+FFFD, as in every encoder of JavaScript.
        output = output.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return {"base64": base64.b64encode(output.encode()).decode()}
    except Exception as error:
        return failure(error, "render")

try:
    template = compile_template(job["template"])
    answers = [answer(template, texts) for texts in job["inputs"]]
except Exception as error:
    answers = [failure(error, "parse") for _ in job["inputs"]]
json.dump({"version": version, "answers": answers}, sys.stdout)
`;
