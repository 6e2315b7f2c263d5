// Prints what k8s.io/utils/trace logs of the work of works.json, at the level of each:
//
//	cd test/recorders && go run ./slow-work < slow-work/works.json > ../../shared/tracing/slow-work/testdata/gen/texts.json
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strconv"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/trace"
)

// A step waits first.
type step struct {
	WaitMs    int64       `json:"waitMs,omitempty"`
	Begin     string      `json:"begin,omitempty"`
	Event     string      `json:"event,omitempty"`
	Fields    [][2]string `json:"fields,omitempty"`
	EndsAfter *int64      `json:"endsAfterMs,omitempty"`
}

type work struct {
	Name  string `json:"name"`
	Level int    `json:"level"`
	Steps []step `json:"steps"`
	Text  string `json:"text"`
}

func main() {
	var works []work
	if err := json.NewDecoder(os.Stdin).Decode(&works); err != nil {
		panic(err)
	}
	flags := flag.NewFlagSet("", flag.ExitOnError)
	klog.InitFlags(flags)
	for i := range works {
		works[i].Text = textOf(flags, works[i])
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	if err := out.Encode(works); err != nil {
		panic(err)
	}
}

func textOf(flags *flag.FlagSet, told work) string {
	var text bytes.Buffer
	for name, value := range map[string]string{"logtostderr": "false", "v": strconv.Itoa(told.Level)} {
		if err := flags.Set(name, value); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(&text)
	var open []*trace.Trace
	for _, step := range told.Steps {
		time.Sleep(time.Duration(step.WaitMs) * time.Millisecond)
		var inner *trace.Trace
		if len(open) > 0 {
			inner = open[len(open)-1]
		}
		switch {
		case step.Begin != "":
			open = append(open, inner.Nest(step.Begin, fields(step.Fields)...))
		case step.Event != "":
			inner.Step(step.Event, fields(step.Fields)...)
		default:
			inner.LogIfLong(time.Duration(*step.EndsAfter) * time.Millisecond)
			open = open[:len(open)-1]
		}
	}
	klog.Flush()
	return steady(text.String())
}

// steady leaves out what differs from run to run: the head of the line, the id, and what is below a second.
func steady(text string) string {
	for _, part := range [][2]string{
		{`^I.*?\] `, ""},
		{`Trace\[\d+\]`, "Trace[1]"},
		{`\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d\.\d{3}`, "DAY TIME"},
		{`\d\d:\d\d:\d\d\.\d{3}`, "TIME"},
		{`\b(\d*)\d{3}ms`, "${1}000ms"},
		{`\b\dms`, "0ms"},
		{`\[(\d)\.\d+s\]`, "[${1}s]"},
	} {
		text = regexp.MustCompile(part[0]).ReplaceAllString(text, part[1])
	}
	return text
}

func fields(pairs [][2]string) []trace.Field {
	var all []trace.Field
	for _, pair := range pairs {
		all = append(all, trace.Field{Key: pair[0], Value: pair[1]})
	}
	return all
}
