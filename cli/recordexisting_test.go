package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An existing file of the recording's name is continued where it is a recording
// of the same, and else left alone.
func TestRecordingIntoWhatIsThere(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.ttrec")
	record := func(from, into string) (said string, code int) {
		_, said, code = command(t, "", "record", "-o", into, "--from", from)
		return said, code
	}
	if said, code := record("testdata/pending.yaml", path); code != exitDone || !strings.Contains(said, "recording testdata/pending.yaml into") {
		t.Fatalf("exit %d: %s", code, said)
	}
	if said, code := record("testdata/pending.yaml", path); code != exitDone || !strings.Contains(said, "continuing the recording of testdata/pending.yaml in") {
		t.Errorf("exit %d: %s", code, said)
	}
	before, _ := os.ReadFile(path)
	other := filepath.Join(folder, "other.yaml")
	text, _ := os.ReadFile("testdata/pending.yaml")
	if err := os.WriteFile(other, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if said, code := record(other, path); code != exitFailed || !strings.Contains(said, "is a recording of testdata/pending.yaml, not of "+other) {
		t.Errorf("exit %d: %s", code, said)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the recording of something else was changed")
	}
	if said, code := record("testdata/pending.yaml", other); code != exitFailed || !strings.Contains(said, "no recording of traintop") {
		t.Errorf("exit %d: %s", code, said)
	}
	if after, _ := os.ReadFile(other); string(after) != string(text) {
		t.Error("a file that is no recording was changed")
	}
}

// A count of 0 would claim that there were no secrets: values of variables are
// removed before anything is counted.
func TestRecordingCountsNoSecretsThatItDidNotTakeOut(t *testing.T) {
	_, said, code := command(t, "", "record", "-o", filepath.Join(t.TempDir(), "a.ttrec"), "--from", "testdata/pending.yaml")
	if code != exitDone || strings.Contains(said, "secrets were taken out") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// Content that files left out is reported while they are recorded, and by every
// answer from the recording and from an excerpt.
func TestRecordingsKeepWhatWasLeftOut(t *testing.T) {
	text, err := os.ReadFile("testdata/pending.yaml")
	if err != nil {
		t.Fatal(err)
	}
	folder := logsIn(t, map[string]string{"dump.yaml": string(text), ".rank1.log": "step 1\n", "notes.html": "<html><body>CUDA out of memory</body></html>\n"})
	out := t.TempDir()
	whole, one := filepath.Join(out, "a.ttrec"), filepath.Join(out, "job.ttrec")
	for _, args := range [][]string{
		{"record", "-o", whole, "--from", folder},
		{"record", "-o", one, "--from", folder, "--job", "llama-70b"},
	} {
		if _, messages, code := command(t, "", args...); code != exitDone || args[len(args)-2] == "--from" && !strings.Contains(messages, ".rank1.log") {
			t.Fatalf("%v: exit %d: %s", args, code, messages)
		}
	}
	for _, path := range []string{whole, one} {
		for _, args := range [][]string{{"jobs"}, {"jobs", "-o", "json"}, {"diagnose"}, {"diagnose", "-o", "json"}} {
			said, messages, _ := command(t, "", append(args, "--from", path)...)
			for _, want := range []string{"hidden files, folders and pipes are not looked into: .rank1.log", "notes.html"} {
				if !strings.Contains(said+messages, want) {
					t.Errorf("%v of %s: %q is missing in %s%s", args, filepath.Base(path), want, said, messages)
				}
			}
		}
	}
}

// Lines that a recorder was told to leave out of logs are reported, and never that a
// log is empty.
func TestRecordingsWithoutLinesOfLogsSaySo(t *testing.T) {
	steps := ""
	for i := range 300 {
		steps += fmt.Sprintf("2026-11-20T09:%02d:%02dZ step: %d loss: %.3f\n", 10+i/60, i%60, i, 3-float64(i)/200)
	}
	const metricsAlone, nothing = "recorded with --logs metrics, and has the metrics of logs without their lines", "recorded with --logs none, and has nothing of logs"
	for name, c := range map[string]struct {
		logs, text, note, says string
	}{
		"metrics": {"metrics", steps, metricsAlone, ""},
		"no step": {"metrics", "hello\n", metricsAlone, "each of their logs was recorded without lines"},
		"none":    {"none", steps, nothing, "were not recorded: the recording was made without logs"},
		"all":     {"all", steps, "", ""},
	} {
		folder := logsIn(t, map[string]string{"dump.yaml": bothRanksRun() + "---\n" + laterEvent, "bert-worker-0.log": c.text, "bert-worker-1.log": c.text})
		path := filepath.Join(t.TempDir(), "a.ttrec")
		if _, said, code := command(t, "", "record", "-o", path, "--from", folder, "--logs", c.logs); code != exitDone {
			t.Fatalf("exit %d: %s", code, said)
		}
		lines, said, _ := command(t, "", "logs", "bert", "--from", path)
		if !strings.Contains(said, c.note) || strings.Contains(said, "recorded with") != (c.note != "") || (lines != "") != (c.logs == "all") {
			t.Errorf("%s: logs prints %d bytes and says %s", name, len(lines), said)
		}
		answer, said, _ := command(t, "", "diagnose", "bert", "--from", path)
		if !strings.Contains(said, c.note) || !strings.Contains(answer, c.says) || strings.Contains(answer, "empty") || strings.Contains(answer, "without lines") != (name == "no step") {
			t.Errorf("%s: %s%s", name, said, answer)
		}
	}
}

// laterEvent dates what was read to an hour after its job began.
const laterEvent = `apiVersion: v1
kind: Event
metadata: {name: tick.1, namespace: ml, uid: tick, creationTimestamp: "2026-11-20T10:00:00Z"}
involvedObject: {kind: Node, name: n0}
reason: Tick
message: tick
type: Normal
firstTimestamp: "2026-11-20T10:00:00Z"
lastTimestamp: "2026-11-20T10:00:00Z"
`

// A dash is standard output everywhere else, and no name of a recording.
func TestRecordingToStandardOutputIsRefused(t *testing.T) {
	if _, said, code := command(t, "", "record", "-o", "-", "--from", "testdata/pending.yaml"); code != exitUsage || !strings.Contains(said, "standard output") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// A recording holds what was asked for alone: where it cannot, flags that choose are
// refused and nothing is written.
func TestRecordRefusesToChooseWhatItCannot(t *testing.T) {
	for _, flags := range [][]string{{"-n", "llm"}, {"-l", "team=vision"}, {"-n", "llm", "-l", "a=b"}} {
		path := filepath.Join(t.TempDir(), "n.ttrec")
		_, said, code := command(t, "", append([]string{"record", "-o", path, "--from", "testdata/pending.yaml"}, flags...)...)
		if _, err := os.Stat(path); code != exitUsage || !strings.Contains(said, "cannot follow -") || !os.IsNotExist(err) {
			t.Errorf("%v: exit %d: %s, %v", flags, code, said, err)
		}
	}
	if _, said, code := command(t, "", "record", "-o", filepath.Join(t.TempDir(), "j.ttrec"), "--from", "testdata/pending.yaml", "-n", "llm", "--job", "llama-70b"); code != exitDone {
		t.Errorf("with --job: exit %d: %s", code, said)
	}
}

// TestRecordOfALogThatGrows: with --for what comes later is recorded too, without it
// the log as it is, which is reported.
func TestRecordOfALogThatGrows(t *testing.T) {
	folder := t.TempDir()
	log := filepath.Join(folder, "train.log")
	appendTo := func(text string) {
		file, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.WriteString(text)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	appendTo("step 1 loss 1.5\nstep 2 loss 1.4\n")
	record := func(args ...string) (lines, messages string) {
		path := filepath.Join(t.TempDir(), "a.ttrec")
		_, messages, code := command(t, "", append([]string{"record", "--from", log, "-o", path}, args...)...)
		if code != exitDone {
			t.Errorf("exit code %d: %s", code, messages)
		}
		lines, _, _ = command(t, "", "logs", "--from", path)
		return lines, messages
	}
	if lines, messages := record(); !strings.Contains(messages, "as it is now; --for TIME goes on") || !strings.Contains(lines, "step 2") {
		t.Errorf("as it is: %s%s", messages, lines)
	}
	defer time.AfterFunc(time.Second, func() { appendTo("step 3 loss 1.3\n") }).Stop()
	if lines, messages := record("--for", "5s"); !strings.Contains(messages, "ctrl-c ends it") || !strings.Contains(lines, "step 3") {
		t.Errorf("growing: %s%s", messages, lines)
	}
}

// A pipe that has nothing more when the recording ends was read whole.
func TestRecordOfAPipeThatStaysOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	reader, writer := io.Pipe()
	defer writer.Close()
	go func() { _, _ = io.WriteString(writer, "step 1 loss 1.5\nstep 2 loss 1.4\n") }()
	var messages bytes.Buffer
	a := &app{in: reader, out: io.Discard, err: &messages, clock: time.Now}
	if code := a.run(t.Context(), []string{"record", "--from", "-", "-o", path, "--for", "2s"}); code != exitDone || strings.Contains(messages.String(), "could not be read") {
		t.Errorf("exit code %d: %s", code, messages.String())
	}
	if out, said, code := command(t, "", "diagnose", "--from", path); code != exitDone || !strings.Contains(out, "Nothing wrong") {
		t.Errorf("exit code %d: %s%s", code, out, said)
	}
}
