package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A job that only events show is among the problems of JSON.
func TestJobsOfEventsAloneAreProblems(t *testing.T) {
	file := page(t, "events.yaml", `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Event, metadata: {name: bert.1, namespace: ml}, involvedObject: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, namespace: ml, uid: a}, reason: SuccessfulCreatePod, message: "Created pod: bert-worker-0", type: Normal, lastTimestamp: "2026-11-20T10:00:00Z"}
`)
	for _, what := range []string{"jobs", "diagnose"} {
		out, _, _ := command(t, "", what, "--from", file, "-o", "json")
		if _, problems, has := strings.Cut(out, `"problems"`); !has || !strings.Contains(problems, "ml/PyTorchJob/bert") || !strings.Contains(problems, "neither the job nor its pods could be read") {
			t.Errorf("%s: %s", what, out)
		}
	}
}

// Of many such jobs the first are named and all are counted.
func TestManyUnreadJobsAreCounted(t *testing.T) {
	var text strings.Builder
	text.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := range 200 {
		fmt.Fprintf(&text, "- {apiVersion: v1, kind: Event, metadata: {name: b%[1]d.1, namespace: ml}, involvedObject: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: b%[1]d, namespace: ml, uid: a%[1]d}, reason: SuccessfulCreatePod, message: \"Created pod: b%[1]d-worker-0\", type: Normal, lastTimestamp: \"2026-11-20T10:00:00Z\"}\n", i)
	}
	file := page(t, "events.yaml", text.String())
	for _, what := range []string{"jobs", "diagnose"} {
		out, _, _ := command(t, "", what, "--from", file, "-o", "json")
		var answer struct {
			Problems []problemAnswer `json:"problems"`
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			t.Fatal(err)
		}
		last := answer.Problems[len(answer.Problems)-1]
		if len(answer.Problems) != firstNamedJobs+1 || !strings.Contains(last.Text, "200 jobs are known from events or names alone") {
			t.Errorf("%s: %d problems, the last is %v", what, len(answer.Problems), last)
		}
	}
}
