package logsread

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
)

// indexedPods is a Job of so many pods with the given status each.
func indexedPods(t *testing.T, ranks int, status func(rank int) string) *store.Snapshot {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, `
apiVersion: batch/v1
kind: Job
metadata: {name: bert, namespace: ml, uid: job-1}
spec: {completionMode: Indexed, completions: %d, parallelism: %d, template: {spec: {containers: [{name: train, image: t, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
`, ranks, ranks)
	for rank := range ranks {
		fmt.Fprintf(&text, `---
apiVersion: v1
kind: Pod
metadata:
  name: bert-%d-x
  namespace: ml
  uid: pod-%d
  annotations: {batch.kubernetes.io/job-completion-index: "%d"}
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: bert, uid: job-1, controller: true}]
spec: {nodeName: a, initContainers: [{name: fetch, image: t}], containers: [{name: train, image: t}]}
status: %s
`, rank, rank, rank, status(rank))
	}
	s := store.New(time.Now)
	if err := dump.New([]string{"-"}, dump.Options{Stdin: strings.NewReader(text.String())}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

const (
	podRuns  = `{phase: Running, containerStatuses: [{name: train, restartCount: 0, ready: true, state: {running: {startedAt: "2026-11-20T09:00:00Z"}}}]}`
	podFails = `{phase: Failed, containerStatuses: [{name: train, restartCount: 0, state: {terminated: {exitCode: 1, finishedAt: "2026-11-20T09:00:00Z"}}}]}`
	initRuns = `{phase: Pending, initContainerStatuses: [{name: fetch, restartCount: 0, state: {running: {startedAt: "2026-11-20T09:00:00Z"}}}], containerStatuses: [{name: train, restartCount: 0, state: {waiting: {reason: PodInitializing}}}]}`
	initDies = `{phase: Pending, initContainerStatuses: [{name: fetch, restartCount: 2, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, finishedAt: "2026-11-20T09:00:00Z"}}}], containerStatuses: [{name: train, restartCount: 0, state: {waiting: {reason: PodInitializing}}}]}`
)

// Of a named job all ranks are read, those in trouble first, and those beyond a
// bound are named with it; of others those of jobs in trouble.
func TestWhichLogsADiagnosisReads(t *testing.T) {
	oneFails := func(at int) func(int) string {
		return func(rank int) string {
			if rank == at {
				return podFails
			}
			return podRuns
		}
	}
	all := func(status string) func(int) string { return func(int) string { return status } }
	for name, c := range map[string]struct {
		ranks  int
		status func(int) string
		named  bool
		first  string
		logs   int
		left   int
		why    string
	}{
		"named, well":           {40, all(podRuns), true, "bert-0-x/train", 40, 0, ""},
		"named, one fails":      {40, oneFails(33), true, "bert-33-x/train", 40, 0, ""},
		"named, very many":      {600, oneFails(550), true, "bert-550-x/train", 512, 88, "one diagnosis reads 512 logs"},
		"not named, well":       {40, all(podRuns), false, "", 0, 0, ""},
		"not named, one fails":  {40, oneFails(33), false, "bert-33-x/train", 16, 24, "of a job that is not named the logs of 16 ranks are read"},
		"not named, all fail":   {40, all(podFails), false, "bert-0-x/train", 16, 24, "traintop diagnose JOB reads more"},
		"init container fails":  {2, all(initDies), false, "bert-0-x/fetch#2", 2, 0, ""},
		"init container runs":   {2, all(initRuns), false, "bert-0-x/fetch", 2, 0, ""},
		"init container, named": {2, all(initRuns), true, "bert-0-x/fetch", 2, 0, ""},
	} {
		snapshot := indexedPods(t, c.ranks, c.status)
		p := PlanDiagnosis(snapshot, snapshot.Jobs(), c.named)
		var logs []string
		for _, chosen := range p.Streams.Chosen {
			logs = append(logs, chosen.ID.String())
		}
		left := p.Problems(snapshot)
		if len(logs) != c.logs || c.logs > 0 && logs[0] != c.first || len(left) != c.left {
			t.Errorf("%s: %d logs, %q first; %d left: %v", name, len(logs), slices.Concat(logs, []string{""})[0], len(left), left)
		}
		for _, l := range left {
			if !strings.Contains(l.Text, c.why) {
				t.Errorf("%s: %s: %q", name, l.Source, l.Text)
			}
		}
	}
}
