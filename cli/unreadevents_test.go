package cli

import (
	"strings"
	"testing"
)

// A job that only events show stands among the problems of JSON.
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
