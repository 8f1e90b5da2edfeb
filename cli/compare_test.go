package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// runLogs are the logs of two runs, of which the second is longer.
func runLogs(t *testing.T) string {
	return logsIn(t, map[string]string{
		"sft-a.log": "step: 10 loss: 2.5 lr: 0.001\nstep: 20 loss: 2.25 lr: 0.001\n",
		"sft-b.log": "step: 10 loss: 2.75 lr: 0.002\nstep: 20 loss: 2.5 lr: 0.002\nstep: 30 loss: nan lr: 0.002\n",
		"notes.log": "hello\n",
	})
}

func TestCompareAsATable(t *testing.T) {
	folder := runLogs(t)
	out, messages, code := command(t, "", "compare", "--from", folder)
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, messages)
	}
	for _, want := range []string{"sft-a.log", "loss best         2.250*", "loss at step 20", "NaN", "lr last"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "notes.log") {
		t.Errorf("a log without curves is compared:\n%s", out)
	}
	out, _, _ = command(t, "", "compare", "--from", folder, "sft-b.log", "sft-a.log", "-o", "csv")
	if rows := strings.Split(out, "\n"); !strings.HasPrefix(rows[0], "job,step,") || !strings.HasPrefix(rows[1], "Log/sft-b.log,30,") && !strings.Contains(rows[1], "sft-b.log,30,") {
		t.Errorf("the rows are not in the order of the names:\n%s", out)
	}
	if out, _, _ = command(t, "", "compare", "--from", folder, "-o", "md"); !strings.HasPrefix(out, "| run | sft-a.log | sft-b.log |\n| --- |") {
		t.Error(out)
	}
}

func TestCompareAsJSON(t *testing.T) {
	out, messages, code := command(t, "", "compare", "-o", "json", "--from", runLogs(t), "sft-a.log", "sft-b.log")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, messages)
	}
	var got struct {
		Runs []struct {
			Metrics map[string]struct {
				Best, Last, AtStep *struct{ Value, Step any }
			}
		}
		Step        float64
		Differences []any
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Step != 20 || len(got.Runs) != 2 || got.Runs[1].Metrics["loss"].Last.Value != "NaN" || got.Runs[1].Metrics["loss"].AtStep.Value != 2.5 || got.Differences == nil {
		t.Error(out)
	}
}

func TestCompareNeedsTwoRuns(t *testing.T) {
	folder := runLogs(t)
	if _, messages, code := command(t, "", "compare", "sft-a.log", "--from", folder); code != exitUsage || !strings.Contains(messages, "two JOBs or more") {
		t.Errorf("exit %d: %s", code, messages)
	}
	if _, messages, code := command(t, "", "compare", "sft-a.log", "sft-c.log", "--from", folder); code == exitDone || !strings.Contains(messages, "sft-c.log") {
		t.Errorf("exit %d: %s", code, messages)
	}
	if _, messages, code := command(t, "", "compare", "-o", "xml", "--from", folder); code != exitUsage || !strings.Contains(messages, "table, json, md, csv") {
		t.Errorf("exit %d: %s", code, messages)
	}
}
