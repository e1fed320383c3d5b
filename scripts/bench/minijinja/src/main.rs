//! Measures MiniJinja with transformers' settings and its own tojson in transformers' form; answers a JSON line a request,
//! as scripts/bench/server.ts sends them.
use std::io::{self, BufRead, Write};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde, Value};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};
use serde::Serialize;
use serde_json::json;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use sha2::{Digest, Sha256};

/// json.dumps' separators.
struct PythonFormatter;

impl Formatter for PythonFormatter {
    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first {
            Ok(())
        } else {
            writer.write_all(b", ")
        }
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first {
            Ok(())
        } else {
            writer.write_all(b", ")
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

fn tojson(value: &Value, options: Kwargs) -> Result<Value, Error> {
    let _: Option<bool> = options.get("ensure_ascii")?;
    let indent: Option<usize> = options.get("indent")?;
    options.assert_all_used()?;
    let mut bytes = Vec::with_capacity(128);
    let written = match indent {
        None => value.serialize(&mut Serializer::with_formatter(&mut bytes, PythonFormatter)),
        Some(width) => {
            let spaces = " ".repeat(width);
            let pretty = PrettyFormatter::with_indent(spaces.as_bytes());
            value.serialize(&mut Serializer::with_formatter(&mut bytes, pretty))
        }
    };
    let failed = |error: String| Error::new(ErrorKind::BadSerialization, error);
    written.map_err(|error| failed(error.to_string()))?;
    Ok(Value::from(
        String::from_utf8(bytes).map_err(|error| failed(error.to_string()))?,
    ))
}

fn raise_exception(message: String) -> Result<Value, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, message))
}

struct Ready {
    environment: Environment<'static>,
    input: Value,
}

impl Ready {
    fn render(&self) -> Result<String, Error> {
        self.environment.get_template("chat")?.render(&self.input)
    }
}

fn load(job: &serde_json::Value) -> Result<Ready, Box<dyn std::error::Error>> {
    let source = std::fs::read_to_string(job["template"].as_str().ok_or("no template")?)?;
    let mut environment = Environment::new();
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    environment.set_undefined_behavior(UndefinedBehavior::Lenient);
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_filter("tojson", tojson);
    environment.add_function("raise_exception", raise_exception);
    environment.add_template_owned("chat", source)?;
    Ok(Ready {
        environment,
        input: Value::from(Serde(&job["input"])),
    })
}

fn prepare(path: &str) -> (Option<Ready>, serde_json::Value) {
    let made = || -> Result<Option<(Ready, String)>, Box<dyn std::error::Error>> {
        let job: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        if job["dialect"] != "jinja" {
            return Ok(None);
        }
        let ready = load(&job)?;
        let text = ready.render()?;
        Ok(Some((ready, text)))
    };
    match made() {
        Ok(None) => (None, json!({})),
        Ok(Some((ready, text))) => {
            let digest: String = Sha256::digest(&text)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            (Some(ready), json!({ "minijinja": { "sha256": digest } }))
        }
        Err(error) => (None, json!({ "minijinja": { "error": error.to_string() } })),
    }
}

/// The time that this process has had, in microseconds.
fn processor_time() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call only writes the struct that it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

fn measure(ready: &Ready, ms: f64) -> Result<f64, Error> {
    let start = processor_time();
    let (mut runs, mut batch) = (0, 1);
    loop {
        for _ in 0..batch {
            std::hint::black_box(ready.render()?);
        }
        runs += batch;
        batch *= 2;
        let spent = processor_time() - start;
        if spent >= ms * 1000.0 {
            return Ok(spent / f64::from(runs));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut ready = None;
    for line in io::stdin().lock().lines() {
        let request: serde_json::Value = serde_json::from_str(&line?)?;
        let answer = if let Some(path) = request["job"].as_str() {
            let (made, results) = prepare(path);
            ready = made;
            json!({ "version": "minijinja", "results": results })
        } else {
            let prepared = ready.as_ref().ok_or("nothing is ready")?;
            json!({ "us": measure(prepared, request["ms"].as_f64().unwrap_or(0.0))? })
        };
        println!("{answer}");
    }
    Ok(())
}
