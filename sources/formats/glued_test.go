package formats

import (
	"slices"
	"strings"
	"testing"
)

// Records that are on one line without a mark between them are read one by one;
// none of them makes a name of a metric.
func TestGluedRecords(t *testing.T) {
	for name, f := range map[string]struct {
		record string // # is the step
		names  string
	}{
		"words":               {"step # loss 2.25 lr 0.5", "loss lr"},
		"equals":              {"step=# loss=2.25 lr=0.5", "loss lr"},
		"a dictionary":        {"{'loss': 2.25, 'step': #, 'grad_norm': 1.5}", "grad_norm loss"},
		"JSON":                {`{"step": #, "loss": 2.25, "lr": 0.5}`, "loss lr"},
		"with stamps":         {"2026-01-01 10:00:0# INFO step: #, loss: 2.25, lr: 0.5", "loss lr"},
		"with stamps, a word": {"2026-01-01 10:00:0# INFO step: #, loss: 2.25, grad_norm: inf", "grad_norm loss"},
		"with a bracket":      {"[2026-01-01 10:00:0#,123] step # | loss 2.25 | lr 0.5", "loss lr"},
		"an epoch":            {"Epoch # loss: 2.25 acc: 50%", "accuracy loss"},
	} {
		var lines []string
		for _, text := range strings.Split("1 2 3+4 5 6+7+8 9", " ") {
			line := ""
			for _, step := range strings.Split(text, "+") {
				line += strings.ReplaceAll(f.record, "#", step)
			}
			lines = append(lines, line)
		}
		found, steps := gives(lines...)
		var names []string
		for name, values := range found {
			if names = append(names, name); len(values) != 9 {
				t.Errorf("%s: %d values of %s, want 9: %v", name, len(values), name, values)
			}
		}
		slices.Sort(names)
		if strings.Join(names, " ") != f.names {
			t.Errorf("%s: metrics %q, want %s", name, names, f.names)
		}
		if want := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}; !strings.HasPrefix(f.record, "Epoch") && !slices.Equal(steps, want) {
			t.Errorf("%s: steps %v", name, steps)
		}
	}
}

// The level is none of what two records that share a line have in common.
func TestGluedRecordsOfOtherLevels(t *testing.T) {
	for name, records := range map[string][]string{
		"behind a time":   {"2026-01-01 10:00:00 INFO step: 1, loss: 2.25", "2026-01-01 10:00:01 WARNING step: 2, loss: 2.5", "2026-01-01 10:00:02 ERROR step: 3, loss: 2.75"},
		"in a bracket":    {"[2026-01-01 10:00:00,123] [INFO] step 1 | loss 2.25", "[2026-01-01 10:00:01,124] [WARNING] step 2 | loss 2.5", "[2026-01-01 10:00:02,125] [INFO] step 3 | loss 2.75"},
		"padded":          {"2026-01-01 10:00:00 INFO     step 1 loss 2.25", "2026-01-01 10:00:01 WARNING  step 2 loss 2.5", "2026-01-01 10:00:02 CRITICAL step 3 loss 2.75"},
		"before a logger": {"INFO:train:step 1 loss 2.25", "WARNING:train:step 2 loss 2.5", "INFO:train:step 3 loss 2.75"},
		"behind a logger": {"2026-01-01 10:00:00 - trainer - INFO - step 1 loss 2.25", "2026-01-01 10:00:01 - trainer - WARNING - step 2 loss 2.5", "2026-01-01 10:00:02 - trainer - INFO - step 3 loss 2.75"},
	} {
		found, steps := gives(strings.Join(records, ""), strings.ReplaceAll(strings.ReplaceAll(records[0], "step 1", "step 4"), "step: 1", "step: 4"))
		if want := []float64{1, 2, 3, 4}; !slices.Equal(steps, want) || !slices.Equal(found["loss"], []float64{2.25, 2.5, 2.75, 2.25}) {
			t.Errorf("%s: steps %v, metrics %v", name, steps, found)
		}
	}
}

// A record may name its position or a metric again.
func TestOneRecordIsNotSplit(t *testing.T) {
	for _, line := range []string{
		"step 3 loss 2.25 step 3 of 10",
		"loss: 2.25 (loss: 2.5) step: 3",
		`{"step": 3, "eval": {"step": 3, "loss": 2}}`,
		"step 3: substep 4: loss 2.25",
		"Epoch [3/10], Step [4/100], Loss: 2.25, Epoch [3/10]",
		"train_loss 2.25 val_train_loss 2.5",
		"[epoch 3][epoch 4]",
		"loss_1 2.25 loss_12.5 3",
	} {
		if at, _ := gluedAt([]byte(line), nil); at != 0 {
			t.Errorf("%s: split at %q", line, line[at:])
		}
	}
}
