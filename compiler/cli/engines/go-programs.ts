/** The Go programs that `verify` runs: a JSON job on standard input, answers on standard output. */

/** What both programs share: the job, the answers, the clock. */
const SHARED = String.raw`
type job struct {
	Template string
	Inputs   [][]string
	Now      string
}

type answer struct {
	Base64 *string ${'`json:"base64,omitempty"`'}
	Phase  string  ${'`json:"phase,omitempty"`'}
	Error  string  ${'`json:"error,omitempty"`'}
}

func failed(phase string, err error) answer { return answer{Phase: phase, Error: err.Error()} }

func printed(b []byte) answer {
	s := base64.StdEncoding.EncodeToString(b)
	return answer{Base64: &s}
}

// clock fixes what templates may ask for.
func clock(now time.Time) template.FuncMap {
	return template.FuncMap{
		"currentDate":   func(...string) string { return now.Format("2006-01-02") },
		"yesterdayDate": func(...string) string { return now.AddDate(0, 0, -1).Format("2006-01-02") },
	}
}

// merged is one object with the fields of all, later ones over earlier ones.
func merged(texts []string) ([]byte, error) {
	all := map[string]json.RawMessage{}
	for _, text := range texts {
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}

func main() {
	var j job
	if err := json.NewDecoder(os.Stdin).Decode(&j); err != nil {
		panic(err)
	}
	now, err := time.Parse("2006-01-02T15:04:05.999999", j.Now)
	if err != nil {
		panic(err)
	}
	answers := make([]answer, 0, len(j.Inputs))
	for _, texts := range j.Inputs {
		input, err := merged(texts)
		if err != nil {
			answers = append(answers, failed("render", err))
			continue
		}
		answers = append(answers, render(j.Template, input, now))
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"version": version(), "answers": answers})
}
`;

/** text/template with the functions that Ollama adds and missingkey=zero, as dialect go has it. */
export const GO_PROGRAM = String.raw`package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/template"
	"time"
)

func version() string { return runtime.Version() }

func render(source string, input []byte, now time.Time) answer {
	funcs := clock(now)
	funcs["json"] = func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	}
	funcs["toTypeScriptType"] = func(any) string { return "any" }
	t, err := template.New("").Option("missingkey=zero").Funcs(funcs).Parse(source)
	if err != nil {
		return failed("parse", err)
	}
	d := json.NewDecoder(bytes.NewReader(input))
	d.UseNumber()
	var data any
	if err := d.Decode(&data); err != nil {
		return failed("render", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, plain(data)); err != nil {
		return failed("render", err)
	}
	return printed(b.Bytes())
}

// plain makes integers int and other numbers float64.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil && !strings.ContainsAny(string(v), ".eE") {
			return int(n)
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
		return slices.Clip(v)
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}
${SHARED}`;

/** Ollama's template package, with the values that its server makes of a request. */
export const OLLAMA_PROGRAM = String.raw`package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"text/template"
	"time"

	"github.com/ollama/ollama/api"
	ollama "github.com/ollama/ollama/template"
)

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/ollama/ollama" {
				return "ollama " + dep.Version + ", " + runtime.Version()
			}
		}
	}
	return "ollama, " + runtime.Version()
}

// request is what /api/chat and /api/generate give to a template.
type request struct {
	Messages                         []api.Message
	Tools                            api.Tools
	System, Prompt, Suffix, Response string
	Images                           []api.ImageData
	Think                            *api.ThinkValue
}

func (q request) values() ollama.Values {
	v := ollama.Values{Messages: q.Messages, Tools: q.Tools}
	if q.System != "" {
		v.Messages = append([]api.Message{{Role: "system", Content: q.System}}, v.Messages...)
	}
	if q.Suffix != "" {
		v.Prompt, v.Suffix = q.Prompt, q.Suffix
	} else if q.Prompt != "" {
		v.Messages = append(v.Messages, api.Message{Role: "user", Content: q.Prompt, Images: q.Images})
	}
	if q.Response != "" {
		v.Messages = append(v.Messages, api.Message{Role: "assistant", Content: q.Response})
	}
	if q.Think != nil {
		v.Think, v.ThinkLevel, v.IsThinkSet = q.Think.Bool(), q.Think.String(), true
	}
	return v
}

func render(source string, input []byte, now time.Time) answer {
	t, err := ollama.Parse(source)
	if err != nil {
		return failed("parse", err)
	}
	t.Template.Funcs(clock(now))
	var q request
	if err := json.Unmarshal(input, &q); err != nil {
		return failed("render", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, q.values()); err != nil {
		return failed("render", err)
	}
	return printed(b.Bytes())
}
${SHARED}`;
