package logfeed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// containerTag is a tag of Fluent Bit and Fluentd, the file of a container's log.
var containerTag = "kube.var.log.containers.run-worker-1_ml_main-" + strings.Repeat("0a", 32) + ".log"

// The record of a collector is the line that the program printed, at its time, whatever the
// width of the time, in whatever field the line is and whatever is beside it.
func TestRecordsOfCollectors(t *testing.T) {
	at := time.Date(2023, 11, 14, 22, 13, 20, 0, time.UTC)
	for _, test := range []struct{ record, text string }{
		{`{"ts":"2023-11-14T22:13:20Z","pod":"run-worker-1","text":"two words"}`, "two words"},
		{`{"ts":"2023-11-14T22:13:20Z","pod":"run-worker-1","text":"Killed"}`, "Killed"},
		{`{"ts":"2023-11-14T22:13:20Z","pod":"run-worker-1","image":"registry.example/a/name/longer/than/the/line:1","value":"two words"}`, "two words"},
		{`{"preview":false,"offset":3,"result":{"_time":"2023-11-14T22:13:20.000+00:00","_raw":"two words","pod":"run-worker-1","host":"a"}}`, "two words"},
		{`{"file":"/var/log/pods/ml_run-worker-1_uid/main/0.log","kubernetes":{"pod_name":"run-worker-1"},"message":"two words","timestamp":"2023-11-14T22:13:20.000000000Z"}`, "two words"},
		{`{"date":1700000000.0,"time":"2023-11-14T22:13:20.0Z","_p":"F","log":"two words","kubernetes":{"pod_name":"run-worker-1"}}`, "two words"},
		{`{"log":"two words","stream":"stdout","time":"2023-11-14T22:13:20Z","kubernetes":{"pod_name":"run-worker-1"}}`, "two words"},
		{`{"message":"two words\n","podName":"run-worker-1","time":1700000000}`, "two words"},
		{`{"ts":"2023-11-14 22:13:20","text":"two words"}`, "two words"},
		{`{"timestamp":1700000000000,"message":"{\"log\": \"two words\", \"kubernetes\": {\"pod_name\": \"run-worker-1\"}}"}`, "two words"},
		{"2023-11-14T22:13:20+00:00\tkube.x\t" + `{"log":"two words"}`, "two words"},
		{`{"ts":"2023-11-14T22:13:20Z","pod":"run-worker-1","ns":"ml","txt":"2023-11-14 22:13:20 INFO two words"}`, "2023-11-14 22:13:20 INFO two words"},
		{`{"log":"\n","stream":"stdout","time":"2023-11-14T22:13:20Z","kubernetes":{"pod_name":"run-worker-1"}}`, ""},
		{"2023-11-14T22:13:20+00:00\t" + containerTag + "\t" + `{"stream":"stdout","log":"two words"}`, "two words"},
		{"2023-11-14T22:13:20.000000+00:00 node-" + containerTag + ` {"log":"two words"}`, "two words"},
		{"[170] " + containerTag + `: [[1700000000.000000000, {}], {"log":"two words","stream":"stdout"}]`, "two words"},
		{"[170] " + containerTag + `: [1700000000.000000000, {"log":"two words","stream":"stdout"}]`, "two words"},
	} {
		f := &frame{stamps: ofProgram}
		if got, text := f.off([]byte(test.record), true); !got.Equal(at) || string(text) != test.text || f.joined {
			t.Errorf("%s: %v %q", test.record, got, text)
		}
	}
}

// Records of programs keep their fields, and so do data and objects of Kubernetes.
func TestRecordsOfPrograms(t *testing.T) {
	for _, record := range []string{
		`{"time":"2023-11-14T22:13:20Z","level":"info","msg":"loading a file","pod":"run-worker-1"}`,
		`{"time":"2023-11-14T22:13:20Z","step":4,"train_loss":2.5,"pod":"run-worker-1","msg":"a step"}`,
		`{"time":"2023-11-14T22:13:20Z","rank":3,"pod":"run-worker-1","msg":"a step"}`,
		`{"time":"2023-11-14T22:13:20Z","prompt":"why is CUDA out of memory"}`,
		`{"timestamp":"2023-11-14T22:13:20Z","url":"https://example.com","text":"a page of the web"}`,
		`{"id":3,"text":"CUDA out of memory"}`,
		`{"apiVersion":"v1","kind":"Event","pod":"run-worker-1","message":"a b"}`,
		`{"ts":"2023-11-14T22:13:20Z","pod":"run-worker-1","text":"one\ntwo"}`,
	} {
		f := &frame{stamps: ofProgram}
		if _, text := f.off([]byte(record), true); string(text) != record {
			t.Errorf("%s: it became %q", record, text)
		}
	}
}

// Which field of an unknown name is the line shows over the lines: what describes the program
// stays as it is.
func TestFieldOfTheLine(t *testing.T) {
	got := &sink{}
	feed := NewFeed(got, train.StreamID{File: "a.jsonl"}, Options{})
	lines := []string{"a line that is longer than all others are", "step 1", "Traceback (most recent call last):", `  File "/app/train.py", line 3, in main`, "Killed"}
	for i, line := range lines {
		fmt.Fprintf(feed, `{"ts":%d,"pod":"run-worker-1","owner":"the team of large models","entry":%q}`+"\n", 1700000000+i, line)
	}
	feed.End()
	if texts := got.texts(); strings.Join(texts, "|") != strings.Join(lines, "|") {
		t.Errorf("%q", texts)
	}
}

// A traceback that is spread over records is one, whatever the width of their times.
func TestTracebackOverRecords(t *testing.T) {
	got := &sink{}
	feed := NewFeed(got, train.StreamID{File: "a.jsonl"}, Options{})
	for i, line := range []string{"Traceback (most recent call last):", `  File "/app/train.py", line 3, in main`, "    run(batch)", "KeyError: 'ids'"} {
		at := time.UnixMilli(1700000000000 + int64(i)*250).UTC().Format(time.RFC3339Nano)
		fmt.Fprintf(feed, `{"time":%q,"data":%q,"pod":"run-worker-1"}`+"\n", at, line+"\n")
	}
	feed.End()
	if len(got.hits) != 1 || got.hits[0].Signature != "python-exception" || got.hits[0].Text != "KeyError: 'ids'" || got.hits[0].Line != 4 {
		t.Errorf("%+v", got.hits)
	}
}
