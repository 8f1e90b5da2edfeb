package explain_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/cli/explain"
	"github.com/traintop/traintop/sources/formats"
)

func TestPlaces(t *testing.T) {
	if at, err := explain.Parse("run:1/train.log:120"); err != nil || at.File != "run:1/train.log" || at.Line != 120 {
		t.Errorf("got %+v, %v", at, err)
	}
	for _, bad := range []string{"", "train.log", ":3", "train.log:", "train.log:0", "train.log:x"} {
		if _, err := explain.Parse(bad); err == nil || !strings.Contains(err.Error(), "FILE:LINE") {
			t.Errorf("%q is taken, or the error does not say what is allowed: %v", bad, err)
		}
	}
}

func TestExplanations(t *testing.T) {
	log := strings.Join([]string{
		"<n7> loading data",
		"<n7> [0]\tvalidation_0-rmse:134.005",
		"<n7> [1]\tvalidation_0-rmse:96.749",
		"<n7> [2]\tvalidation_0-rmse:70.106",
		"<n7> {'loss': 2.5, 'learning_rate': 0.001, 'epoch': 0.5}",
		"<n7> connected with token=hf_abcdefghijklmnopqrstuvwxyz0123",
		"<n7> speed of the fan: 3",
		"<n7> done \x1b[2J",
	}, "\n")
	path := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, wants := range map[int64][]string{
		3: {"line     [1]", "learned from this log: <n7> ", "point    step 1: validation_0-rmse 96.749"},
		5: {"reader   the general reader", "point    epoch 0.5: "},
		1: {"no point it has no number with a name"},
		6: {"<redacted:"},
		7: {"no point "},
	} {
		var out strings.Builder
		if err := explain.Print(&out, explain.Place{File: path, Line: line}, formats.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("line %d: no %q in\n%s", line, want, out.String())
			}
		}
		if strings.ContainsRune(out.String(), 0x1b) || strings.Contains(out.String(), "hf_abc") {
			t.Errorf("line %d: printed as it is:\n%s", line, out.String())
		}
	}
	if err := explain.Print(&strings.Builder{}, explain.Place{File: path, Line: 99}, formats.Options{}); err == nil || !strings.Contains(err.Error(), "the log has 8 lines") {
		t.Errorf("line 99: %v", err)
	}
}

// A packed log is explained by the lines that it holds; what is no text is named.
func TestPackedLogIsExplained(t *testing.T) {
	folder := t.TempDir()
	log, archive := filepath.Join(folder, "train.log.gz"), filepath.Join(folder, "logs.zip")
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	fmt.Fprint(to, "start\nstep 1 loss 2.5\nstep 2 loss 2.25\n")
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{log: packed.Bytes(), archive: append([]byte("PK\x03\x04\x14\x00\x00\x00"), "step 3 loss 2\n"...)} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := explain.Print(&out, explain.Place{File: log, Line: 3}, formats.Options{}); err != nil || !strings.Contains(out.String(), "step 2: loss 2.25") {
		t.Errorf("the packed log: %v\n%s", err, out.String())
	}
	out.Reset()
	if err := explain.Print(&out, explain.Place{File: archive, Line: 1}, formats.Options{}); err == nil || !strings.Contains(err.Error(), "zip archive") || out.Len() > 0 {
		t.Errorf("the archive: %v\n%s", err, out.String())
	}
}

// A step below 0 is no position, and the line reports it.
func TestAStepBelowZeroIsExplained(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(path, []byte("{\"step\": -1, \"loss\": 2.5}\n{\"loss\": 2.5}\n{\"step\": 0, \"loss\": 2.5}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int64]string{1: "no point its step is below 0, as programs mark what has none", 2: "no point it has a loss, and neither it nor", 3: "point    step 0: loss 2.5"} {
		var out strings.Builder
		if err := explain.Print(&out, explain.Place{File: path, Line: line}, formats.Options{}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("line %d: %v, no %q in\n%s", line, err, want, out.String())
		}
	}
}

// A line whose step is below 0 counts as a record where steps follow, and has no step in
// curves either.
func TestACountedLineHasNoStepWhereStepsFollow(t *testing.T) {
	path, text := filepath.Join(t.TempDir(), "train.log"), ""
	for step := -30; step < 30; step++ {
		text += fmt.Sprintf("step=%d loss=2.%d\n", step, step+40)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int64]string{20: "point    loss 2.29\n", 40: "point    step 9: loss 2.49\n"} {
		var out strings.Builder
		if err := explain.Print(&out, explain.Place{File: path, Line: line}, formats.Options{}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("line %d: %v, no %q in\n%s", line, err, want, out.String())
		}
	}
}

// A line that is longer than what is read of it is shown as it begins, and not with
// what comes after it in the file.
func TestALongLineIsExplained(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.log")
	if err := os.WriteFile(path, []byte("step 1 loss 2 "+strings.Repeat("x", 200_000)+"\nstep 2 loss 1\nstep 3 loss 0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := explain.Print(&out, explain.Place{File: path, Line: 1}, formats.Options{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "step 2") || strings.Contains(text, "step 3") || !strings.Contains(text, "point    step 1: loss 2\n") {
		t.Errorf("%.200s … %s", text, text[max(0, len(text)-200):])
	}
}
