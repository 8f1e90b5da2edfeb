package logfeed

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// journalBytes is a message as journalctl writes one that is not plain text.
func journalBytes(text string) string { return strings.ReplaceAll(fmt.Sprint([]byte(text)), " ", ",") }

// Records of journalctl -o json give the lines that programs wrote, wherever
// they are in a file.
func TestRecordsOfTheJournal(t *testing.T) {
	at := time.UnixMicro(1700000000000000).UTC()
	for _, test := range []struct{ record, text string }{
		{`{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"1700000000000000","MESSAGE":"CUDA out of memory","PRIORITY":"6"}`, "CUDA out of memory"},
		{`{ "__REALTIME_TIMESTAMP" : "1700000000000000", "MESSAGE" : "CUDA out of memory" }`, "CUDA out of memory"},
		{`{"__REALTIME_TIMESTAMP":"1700000000000000","MESSAGE":` + journalBytes("\x1b[31mCUDA out of memory\x1b[0m") + `}`, "\x1b[31mCUDA out of memory\x1b[0m"},
		{`{"MESSAGE":[` + journalBytes("\x1bone") + `,"two"],"__REALTIME_TIMESTAMP":"1700000000000000"}`, "\x1bone two"},
		{`{"__REALTIME_TIMESTAMP":"1700000000000000","MESSAGE":"one\ntwo\n"}`, "one\ntwo"},
	} {
		f := &frame{stamps: ofProgram}
		if f.ready([]byte(test.record[:len(test.record)-1])) {
			t.Errorf("%s: a part of it is enough", test.record)
		}
		if got, text := f.off([]byte(test.record), true); !got.Equal(at) || string(text) != test.text {
			t.Errorf("%s: %v %q", test.record, got, text)
		}
	}
	for _, other := range []string{
		`{"MESSAGE":"a line of a program"}`, `{"LEVEL":"info","MSG":"x"}`, `{"__REALTIME_TIMESTAMP":"1","MESSAGE":[1,"x",{}]}`, `{"__REALTIME_TIMESTAMP":"1","MESSAGE":[256]}`, `{"A`,
	} {
		f := &frame{stamps: ofProgram}
		if _, text := f.off([]byte(other), true); string(text) != other {
			t.Errorf("%s: it became %q", other, text)
		}
	}
}

// A message in bytes is read after any amount of text.
func TestMessagesInBytesFarIntoAFile(t *testing.T) {
	record := func(message string) string {
		return `{"__REALTIME_TIMESTAMP":"1700000000000000","MESSAGE":` + message + "}\n"
	}
	text := strings.Repeat(record(`"step"`), 5000) + record(journalBytes("\x1b[31mRuntimeError: CUDA out of memory\x1b[0m"))
	if lines := read(Options{}, 4096, text).texts(); len(lines) == 0 || !strings.Contains(lines[len(lines)-1], "RuntimeError: CUDA out of memory") {
		t.Errorf("the last line is %q", lines[max(0, len(lines)-1):])
	}
}

// A record of several lines is parsed line by line, and stays one line of the log.
func TestRecordsOfSeveralLines(t *testing.T) {
	const text = `{"__REALTIME_TIMESTAMP":"1700000000000000","MESSAGE":"step 1 loss 2.5\nstep 2 loss 2.25\nTraceback (most recent call last):\n  File \"t.py\", line 3, in <module>\nValueError: bad"}` + "\n"
	got := read(Options{}, len(text), text)
	if len(got.lines) != 1 || len(got.samples) != 2 || len(got.hits) == 0 {
		t.Errorf("%d lines, %d points, %d failures", len(got.lines), len(got.samples), len(got.hits))
	}
}
