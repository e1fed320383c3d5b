// Command bench measures Ollama's template package ("ollama") and plain text/template with the same function map ("go").
// It answers a JSON line a request, as scripts/bench/server.ts sends them.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	gotemplate "text/template"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/template"
)

type request struct {
	Job    string  `json:"job"`
	Engine string  `json:"engine"`
	Ms     float64 `json:"ms"`
}

type job struct {
	Dialect  string          `json:"dialect"`
	Template string          `json:"template"`
	Input    json.RawMessage `json:"input"`
}

// input is what /api/chat takes, as far as the workloads have it.
type input struct {
	Messages []api.Message   `json:"messages"`
	Tools    api.Tools       `json:"tools"`
	Think    *api.ThinkValue `json:"think"`
}

type result struct {
	Sha256 string `json:"sha256,omitempty"`
	Error  string `json:"error,omitempty"`
}

type render func() ([]byte, error)

func (in input) values() template.Values {
	v := template.Values{Messages: in.Messages, Tools: in.Tools}
	if in.Think != nil {
		v.Think, v.ThinkLevel, v.IsThinkSet = in.Think.Bool(), in.Think.String(), true
	}
	return v
}

// ollama collates the decoded request in each render, as the server does; decoding JSON is not timed for any engine.
func ollama(source string, raw json.RawMessage) (render, error) {
	t, err := template.Parse(source)
	if err != nil {
		return nil, err
	}
	var in input
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		var b bytes.Buffer
		err := t.Execute(&b, in.values())
		return b.Bytes(), err
	}, nil
}

// arguments print as JSON, as the data model's own do.
type arguments map[string]any

func (a arguments) String() string {
	b, _ := json.Marshal(map[string]any(a))
	return string(b)
}

// plain gives text/template the same data as maps, collated beforehand: what a program without Ollama's package has.
func plain(source string, raw json.RawMessage) (render, error) {
	t, err := gotemplate.New("").Funcs(funcs).Option("missingkey=zero").Parse(source)
	if err != nil {
		return nil, err
	}
	var in input
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, err
	}
	data := plainData(in)
	return func() ([]byte, error) {
		var b bytes.Buffer
		err := t.Execute(&b, data)
		return b.Bytes(), err
	}, nil
}

func plainData(in input) map[string]any {
	messages, tools := make([]any, len(in.Messages)), make([]any, len(in.Tools))
	system := ""
	for i, m := range in.Messages {
		if m.Role == "system" {
			system = m.Content
		}
		calls := make([]any, len(m.ToolCalls))
		for j, c := range m.ToolCalls {
			calls[j] = map[string]any{"Function": map[string]any{
				"Name": c.Function.Name, "Arguments": arguments(c.Function.Arguments.ToMap()),
			}}
		}
		messages[i] = map[string]any{
			"Role": m.Role, "Content": m.Content, "Thinking": m.Thinking, "ToolCalls": calls, "Images": m.Images,
		}
	}
	for i, t := range in.Tools {
		tools[i] = map[string]any{"Function": map[string]any{
			"Name": t.Function.Name, "Description": t.Function.Description,
			"Parameters": map[string]any{
				"Required": t.Function.Parameters.Required, "Properties": t.Function.Parameters.Properties.ToMap(),
			},
		}}
	}
	return map[string]any{
		"System": system, "Messages": messages, "Tools": tools, "Response": "",
		"Think": in.Think != nil && in.Think.Bool(), "IsThinkSet": in.Think != nil,
	}
}

var funcs = gotemplate.FuncMap{
	"json": func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	},
	"currentDate": func(args ...string) string { return time.Now().Format("2006-01-02") },
}

// prepare makes the engines ready and says what each renders.
func prepare(path string, ready map[string]render) map[string]result {
	clear(ready)
	results := map[string]result{}
	text, err := os.ReadFile(path)
	var j job
	if err == nil {
		err = json.Unmarshal(text, &j)
	}
	if err != nil {
		return map[string]result{"go": {Error: err.Error()}}
	}
	if j.Dialect != "ollama" {
		return results
	}
	source, err := os.ReadFile(j.Template)
	if err != nil {
		return map[string]result{"go": {Error: err.Error()}}
	}
	for name, make := range map[string]func(string, json.RawMessage) (render, error){"ollama": ollama, "go": plain} {
		results[name] = attempt(name, string(source), j.Input, make, ready)
	}
	return results
}

func attempt(name, source string, raw json.RawMessage, make func(string, json.RawMessage) (render, error), ready map[string]render) result {
	run, err := make(source, raw)
	if err != nil {
		return result{Error: err.Error()}
	}
	out, err := run()
	if err != nil {
		return result{Error: err.Error()}
	}
	ready[name] = run
	return result{Sha256: fmt.Sprintf("%x", sha256.Sum256(out))}
}

// processorTime is the time that this process has had, in microseconds.
func processorTime() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec)*1e6 + float64(u.Utime.Usec+u.Stime.Usec)
}

func measure(run render, ms float64) float64 {
	start, runs := processorTime(), 0
	for batch := 1; ; batch *= 2 {
		for range batch {
			run()
		}
		runs += batch
		if spent := processorTime() - start; spent >= ms*1000 {
			return spent / float64(runs)
		}
	}
}

func main() {
	ready := map[string]render{}
	in := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var q request
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			panic(err)
		}
		if q.Job != "" {
			out.Encode(map[string]any{"version": runtime.Version(), "results": prepare(q.Job, ready)})
		} else {
			out.Encode(map[string]float64{"us": measure(ready[q.Engine], q.Ms)})
		}
	}
}
