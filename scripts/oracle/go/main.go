// Command oracle renders Go text/template chat templates with the real Ollama
// template package (mode "ollama") or plain text/template carrying Ollama's
// function map and missingkey=zero (mode "go"). JSON lines in, JSON lines out.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	gotemplate "text/template"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/template"
)

type request struct {
	ID       string          `json:"id"`
	Template string          `json:"template"`
	Mode     string          `json:"mode"` // "ollama" | "go"
	Values   json.RawMessage `json:"values"`
	Data     json.RawMessage `json:"data"` // synonym of values, for mode "go"
	Now      string          `json:"now"`  // RFC 3339 or YYYY-MM-DD; fixes the clock
	Vars     bool            `json:"vars"` // also report Template.Vars() (mode "ollama")
	NoZero   bool            `json:"noMissingKeyZero"`
}

type result struct {
	ID     string   `json:"id"`
	OK     bool     `json:"ok"`
	Output *string  `json:"output,omitempty"`
	Error  string   `json:"error,omitempty"`
	Phase  string   `json:"phase,omitempty"`  // "input" | "parse" | "exec"
	Panic  bool     `json:"panic,omitempty"`  // Go panicked (Ollama itself would crash the request)
	Before *string  `json:"before,omitempty"` // what had been written when an exec error struck (mode "go")
	Vars   []string `json:"vars,omitempty"`
	Base64 string   `json:"b64,omitempty"` // the exact bytes, when the output is not valid UTF-8
}

// ollamaValues is the union of what /api/chat and /api/generate accept and of
// template.Values. values says how it is turned into Values.
type ollamaValues struct {
	Messages    []api.Message   `json:"messages"`
	Tools       api.Tools       `json:"tools"`
	System      string          `json:"system"`
	Prompt      string          `json:"prompt"`
	Suffix      string          `json:"suffix"`
	Response    string          `json:"response"`
	Images      []api.ImageData `json:"images"`
	Think       *api.ThinkValue `json:"think"`
	IsThinkSet  *bool           `json:"isThinkSet"`
	ForceLegacy bool            `json:"forceLegacy"`
}

// values does what Ollama's handlers do (server/routes.go GenerateHandler,
// server/prompt.go renderPrompt) before Template.Execute; image tags excepted.
func (in ollamaValues) values() template.Values {
	v := template.Values{Messages: in.Messages, Tools: in.Tools}
	if in.System != "" {
		v.Messages = append([]api.Message{{Role: "system", Content: in.System}}, v.Messages...)
	}
	if in.Suffix != "" {
		v.Prompt, v.Suffix = in.Prompt, in.Suffix
	} else if in.Prompt != "" {
		v.Messages = append(v.Messages, api.Message{Role: "user", Content: in.Prompt, Images: in.Images})
	}
	if in.Response != "" { // not an API field: a trailing assistant message
		v.Messages = append(v.Messages, api.Message{Role: "assistant", Content: in.Response})
	}
	if in.Think != nil {
		v.Think, v.ThinkLevel, v.IsThinkSet = in.Think.Bool(), in.Think.String(), true
	}
	if in.IsThinkSet != nil {
		v.IsThinkSet = *in.IsThinkSet
	}
	if in.ForceLegacy { // unexported in Ollama; only its own tests set it
		f := reflect.ValueOf(&v).Elem().FieldByName("forceLegacy")
		*(*bool)(unsafe.Pointer(f.UnsafeAddr())) = true
	}
	return v
}

// decodeValues refuses misspelt top-level keys; inside messages and tools
// unknown fields are dropped, as the server drops them.
func decodeValues(raw []byte) (in ollamaValues, err error) {
	if len(raw) == 0 {
		return in, nil
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(raw, &top); err != nil {
		return in, err
	}
	known := map[string]bool{}
	for i, t := 0, reflect.TypeFor[ollamaValues](); i < t.NumField(); i++ {
		known[t.Field(i).Tag.Get("json")] = true
	}
	for k := range top {
		if !known[k] {
			return in, fmt.Errorf("unknown value %q", k)
		}
	}
	return in, json.Unmarshal(raw, &in)
}

// clockFuncs overrides the two date functions so that goldens are stable.
func clockFuncs(now time.Time) gotemplate.FuncMap {
	return gotemplate.FuncMap{
		"currentDate":   func(args ...string) string { return now.Format("2006-01-02") },
		"yesterdayDate": func(args ...string) string { return now.AddDate(0, 0, -1).Format("2006-01-02") },
	}
}

func runOllama(q request, now time.Time, r *result) {
	r.Phase = "parse"
	t, err := template.Parse(q.Template)
	if err != nil {
		r.Error = err.Error()
		return
	}
	if q.Now != "" {
		t.Template.Funcs(clockFuncs(now))
	}
	if q.Vars {
		r.Vars, _ = t.Vars()
	}
	r.Phase = "input"
	in, err := decodeValues(q.Values)
	if err != nil {
		r.Error = err.Error()
		return
	}
	r.Phase = "exec"
	var b bytes.Buffer
	if err := t.Execute(&b, in.values()); err != nil {
		r.Error = err.Error()
		return
	}
	r.done(b.String())
}

func (r *result) done(s string) {
	r.OK, r.Output, r.Phase = true, &s, ""
	if !utf8.ValidString(s) {
		r.Base64 = base64.StdEncoding.EncodeToString([]byte(s))
	}
}

func strict(raw []byte, v any) error {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func run(line []byte) (r result) {
	var q request
	if err := strict(line, &q); err != nil {
		return result{ID: q.ID, Error: err.Error(), Phase: "input"}
	}
	r.ID = q.ID
	defer func() {
		if p := recover(); p != nil {
			r = result{ID: q.ID, Error: fmt.Sprint("panic: ", p), Phase: r.Phase, Panic: true}
		}
	}()
	now := time.Now()
	if q.Now != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, q.Now); err != nil {
			if now, err = time.Parse("2006-01-02", q.Now); err != nil {
				return result{ID: q.ID, Error: err.Error(), Phase: "input"}
			}
		}
	}
	switch q.Mode {
	case "ollama":
		runOllama(q, now, &r)
	case "go":
		runGo(q, now, &r)
	default:
		r.Error, r.Phase = fmt.Sprintf("unknown mode %q", q.Mode), "input"
	}
	return r
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println("go", runtime.Version())
		if bi, ok := debug.ReadBuildInfo(); ok {
			for _, d := range bi.Deps {
				if strings.HasSuffix(d.Path, "ollama/ollama") {
					fmt.Println(d.Path, d.Version, d.Sum)
				}
			}
		}
		return
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			enc.Encode(run(line))
		}
		if err != nil {
			return
		}
	}
}
