package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Records whose ends of lines were lost are read one by one, whatever is between them.
func TestRepeatedRecords(t *testing.T) {
	var records []string
	for step := 1; step <= 12; step++ {
		loss := fmt.Sprintf("%.4f", 3-float64(step)/100)
		if step > 10 {
			loss = "nan"
		}
		records = append(records, fmt.Sprintf("INFO step=%d/400 loss=%s lr=1.%de-04", step, loss, step%2))
	}
	for name, line := range map[string]string{
		"blanks":                 strings.Join(records, " "),
		"newlines as characters": strings.Join(records, `\n`),
		"texts in JSON":          `["` + strings.Join(records, `", "`) + `"]`,
		"texts in an object":     `{"lines": ["` + strings.Join(records, `", "`) + `"]}`,
		"texts in Python":        "['" + strings.Join(records, "', '") + "']",
		"one text in JSON":       `{"log": "` + strings.Join(records, `\n`) + `\n"}`,
		"one text of a pod":      `{"logs": {"llm7-master-0": "` + strings.Join(records, `\n`) + `"}}`,
		"texts of objects":       `{"runs": [{"message": {"text": "` + strings.Join(records, `"}}, {"message": {"text": "`) + `"}}]}`,
		"one text and its lines": `ok: [gpu-1] => {"changed": true, "stdout": "` + strings.Join(records, `\n`) + `", "stdout_lines": ["` + strings.Join(records, `", "`) + `"]}`,
		"elements":               "<log><m>" + strings.Join(records, "</m><m>") + "</m></log>",
	} {
		found, steps := gives(line)
		if len(found["loss"]) != 12 || len(found["lr"]) != 12 || len(found) != 2 {
			t.Errorf("%s: %v", name, found)
		}
		if want := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}; !slices.Equal(steps, want) {
			t.Errorf("%s: steps %v", name, steps)
		}
	}
}

// One record that mentions its position twice, or two of different things, is not cut.
func TestRecordsThatOnlyLookRepeated(t *testing.T) {
	for _, line := range []string{
		"epoch 3 loss 0.5, best at epoch 2 with 0.4",
		"step 5 loss 0.5 acc 0.75 (step 4 loss 0.6)",
		"epoch 1 train loss 0.5 epoch 1 valid loss 0.6",
		"step=1 loss=0.5 next save at step=100",
		"Train: step 1 loss 0.5 Val: step 2 loss 0.6",
		`{"a": "step 1 loss 2.5\nstep 2 loss 2.25", "b": "step 1 loss 2.5\nstep 2 loss 2.75"}`,
		`{"step": 1, "loss": 0.5, "previous": {"step": 0, "loss": 0.6}}`,
	} {
		if records := repeatedRecords([]byte(line)); records != nil {
			t.Errorf("%q is cut to %q", line, records)
		}
	}
}

// The text of a record in JSON is as many lines as it has.
func TestRecordsOfSeveralLines(t *testing.T) {
	const text = `step 1 loss 2.5\nstep 2 loss 2.25\nTraceback (most recent call last):\n  File \"t.py\", line 3, in <module>`
	for _, line := range []string{
		`{"log":"` + text + `\n","stream":"stdout","time":"2026-01-01T10:00:00Z"}`,
		`{"date": 1763632800.0, "log": "` + text + `", "kubernetes": {"pod_name": "llm7-master-0"}}`,
		`{"ts": "2026-01-01T10:00:00Z", "level": "info", "msg": "` + text + `"}`,
	} {
		found, steps := gives(line)
		if !slices.Equal(steps, []float64{1, 2}) || !slices.Equal(found["loss"], []float64{2.5, 2.25}) || len(found) != 1 {
			t.Errorf("%s: steps %v, %v", line, steps, found)
		}
	}
}

// A line that is cut anywhere, as very long ones are, keeps the records before the cut.
func TestRepeatedRecordsOfACutLine(t *testing.T) {
	var records []string
	for step := 1; step <= 6; step++ {
		records = append(records, fmt.Sprintf("INFO step=%d/400 loss=2.%d lr=1e-4", step, step))
	}
	line := strings.Join(records, " ")
	for end := len(line) - len(records[5]); end <= len(line); end++ {
		if found, _ := gives(line[:end]); len(found["loss"]) < 5 {
			t.Errorf("%q: losses %v", line[:end], found["loss"])
		}
	}
}
