package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"
)

// fullDisk accepts no bytes.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestAnAnswerThatCannotBeWrittenFails holds that no command, help among them,
// succeeds when its answer could not be written.
func TestAnAnswerThatCannotBeWrittenFails(t *testing.T) {
	for _, args := range [][]string{
		{"--help"}, {"diagnose", "--help"}, {"version"}, {"completion", "bash"}, {"jobs", "--from", "testdata/pending.yaml"},
		{"jobs", "-o", "name", "--from", "testdata/pending.yaml"}, {"diagnose", "--from", "testdata/pending.yaml"}, {"diagnose", "-o", "json", "--from", "testdata/pending.yaml"},
		fromPartOfTheDemo("gpus"), fromPartOfTheDemo("gpus", "-o", "json"), fromPartOfTheDemo("logs", "llm/llama-70b"),
		fromPartOfTheDemo("curves", "llm/llama-70b"), fromPartOfTheDemo("curves", "-o", "csv"), fromPartOfTheDemo("compare", "llm/llama-70b", "llm/qwen3-sft"),
		fromPartOfTheDemo("wait", "llm/llama-70b", "--for", "running"), {"config", "check"}, {"config", "path"},
		{"curves", "--explain", "testdata/pending.yaml:1"}, {"watch", "--from", "../testdata/story/demo.ttrec"},
	} {
		var messages bytes.Buffer
		a := &app{in: strings.NewReader(""), out: fullDisk{}, err: &messages, clock: time.Now}
		if code := a.run(t.Context(), args); code != exitFailed || !strings.Contains(messages.String(), "no space left on device") {
			t.Errorf("%q: exit %d, %q", args, code, messages.String())
		}
	}
}
