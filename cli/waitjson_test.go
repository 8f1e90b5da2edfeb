package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/wait"
)

// waitLines are one line of each event, with all that it can have.
func waitLines() []wait.Line {
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	none := math.NaN()
	job := train.Ref{Namespace: "ml", Group: "kubeflow.org", Kind: "PyTorchJob", Name: "bert", UID: "6473f733-e73d-492a-a2d2-12073cf3494a"}
	line := func(event wait.Event, why string) wait.Line {
		return wait.Line{Event: event, Time: at, Job: job, Attempt: 1, Step: none, TotalSteps: none, Why: why}
	}
	state := line(wait.EventState, "worker-3 restarts")
	state.Phase, state.Wanted, state.Ready, state.Restarts, state.Step, state.TotalSteps, state.Loss, state.HasLoss = train.Running, 4, 3, 2, 120, 5000, 2.31, true
	diverged := state
	diverged.Loss, diverged.TotalSteps, diverged.Why, diverged.Restarts = math.NaN(), none, "", 0
	pending := line(wait.EventState, "")
	pending.Phase, pending.Wanted = train.Pending, 4
	reached := line(wait.EventOutcome, "")
	reached.Phase, reached.Outcome, reached.Condition = train.Running, wait.Reached, "loss<2"
	failed := line(wait.EventOutcome, "the job ended as Failed: worker-2 exited with code 137")
	failed.Phase, failed.Outcome = train.Failed, wait.Failed
	return []wait.Line{
		{Event: wait.EventWaiting, Time: at, Step: none, TotalSteps: none, Why: `there is no job "bert" in namespace ml of https://10.0.0.1 yet; waiting for it`},
		pending, state, diverged,
		line(wait.EventDeleted, "it was deleted; waiting 30s for it to be created again"),
		line(wait.EventRecreated, "it was deleted and created again; this is attempt 2"),
		{Event: wait.EventUnreachable, Time: at, Step: none, TotalSteps: none, Why: "the cluster cannot be reached, and it is tried again: connection refused"},
		{Event: wait.EventReachable, Time: at, Step: none, TotalSteps: none, Why: "the cluster can be reached again"},
		line(wait.EventNote, "its log cannot be read, so whether it makes progress is not known: forbidden"),
		reached, failed,
	}
}

// waitEnds are last lines: all reached, and one that failed beside one that is
// still waited for and one that nobody saw.
func waitEnds() []waitEnd {
	job := train.Ref{Namespace: "ml", Group: "kubeflow.org", Kind: "PyTorchJob", Name: "bert", UID: "6473f733-e73d-492a-a2d2-12073cf3494a"}
	reached := wait.Result{Job: job, ID: train.JobID(job.UID), Attempt: 1, Phase: train.Running, Outcome: wait.Reached, Condition: "first-step"}
	failed := reached
	failed.Phase, failed.Outcome, failed.Condition, failed.Why = train.Failed, wait.Failed, "", "the job ended as Failed"
	waited := reached
	waited.Outcome, waited.Condition = "", ""
	bad := answerEnd(wait.Failed, []wait.Result{failed, waited, {Name: "gpt", Why: "no such job was seen"}}, nil)
	rank := 2
	bad.Diagnosis = &waitDiagnosis{
		Findings: []findingAnswer{{
			Cause: "oom-killed", Severity: train.SeverityError, Stage: "running", Title: "worker-2 ran out of memory", Job: job.String(), Ranks: []int{2}, RootRank: &rank,
			Evidence: []evidenceAnswer{}, Next: []stepAnswer{},
		}},
		Verdict: diagnose.CauseFound, Verdicts: []verdictAnswer{{Job: job.String(), Verdict: diagnose.CauseFound, Sentence: "cause found", LookedAt: []string{"the log of rank 2"}}},
		Missing: []missingAnswer{{What: "events", Why: "forbidden", Help: "deploy/rbac.yaml"}},
	}
	return []waitEnd{answerEnd(wait.Reached, []wait.Result{reached}, nil), bad}
}

// Others read what `wait -o json` prints: names and types of fields stay, and new
// ones come behind.
func TestTheJSONOfWaitStaysAsItIs(t *testing.T) {
	const path = "testdata/wait.jsonl"
	var got bytes.Buffer
	r := &waitRun{app: &app{out: &got}}
	for _, line := range waitLines() {
		if err := r.printLine(answerLine(&line)); err != nil {
			t.Fatal(err)
		}
	}
	for _, end := range waitEnds() {
		if err := r.printLine(end); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got.String() != string(want) {
		t.Errorf("%s is other than what is printed (%v):\n%s", path, err, got.String())
	}
}

// docs/cli.md has each field, with its type and the events that have it.
func TestTheFieldsOfWaitAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	events := map[string]map[string]bool{}
	note := func(answer any) {
		printed, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(printed, &fields); err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			if events[name] == nil {
				events[name] = map[string]bool{}
			}
			events[name][fmt.Sprint(fields["event"])] = true
		}
	}
	for _, line := range waitLines() {
		note(answerLine(&line))
	}
	for _, end := range waitEnds() {
		note(end)
	}
	order := []string{"waiting", "state", "deleted", "recreated", "unreachable", "reachable", "note", "outcome", "end"}
	rows := 0
	for _, of := range []reflect.Type{reflect.TypeFor[waitLine](), reflect.TypeFor[waitEnd]()} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			var has []string
			for _, event := range order {
				if events[name][event] {
					has = append(has, "`"+event+"`")
				}
			}
			in := strings.Join(has, ", ")
			if len(has) == len(order) {
				in = "all"
			}
			row := fmt.Sprintf("| `%s` | %s | %s | ", name, jsonType(of.Field(i).Type), in)
			if rows++; !strings.Contains(string(text), row) {
				t.Errorf("docs/cli.md has no row %s", row)
			}
		}
	}
	if rows < 15 {
		t.Errorf("there are %d fields", rows)
	}
}

// jsonType is the type of a field as docs name it.
func jsonType(of reflect.Type) string {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of == reflect.TypeFor[time.Time]():
		return "text, RFC 3339 in UTC"
	case of == reflect.TypeFor[jsontext.Number]():
		return `number, or "NaN", "Infinity", "-Infinity"`
	case of.Kind() == reflect.String:
		return "text"
	case of.Kind() == reflect.Int:
		return "whole number"
	case of.Kind() == reflect.Slice:
		return "list of objects"
	}
	return "object"
}

// TestAWaitThatReadNothingSaysSo checks that a wait which ends before the cluster
// answered does not report that no such job was seen: nobody looked.
func TestAWaitThatReadNothingSaysSo(t *testing.T) {
	silent, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close() // connections wait in its queue
	_, said, code := command(t, "", "wait", "bert", "--timeout", "1s", "-n", "ml", "--server", "http://"+silent.Addr().String())
	if code != wait.TimedOut.Code() || !strings.Contains(said, "bert (whether there is such a job is not known: no answer yet about kube") {
		t.Errorf("exit %d: %s", code, said)
	}
}
