package diagnose

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// replacedAndFailed is a job of six hours whose worker 1 was killed and replaced so
// many minutes ago, and whose worker 0 ended it with exit code 1 a minute ago, as
// training-operator 1.9.4 leaves them.
func replacedAndFailed(minutes float64) func(*cluster) {
	return func(c *cluster) {
		c.object(kinds.Jobs()[1].GroupKind, `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T06:00:00Z"}
spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, restartPolicy: ExitCode, template: {spec: {containers: [{name: pytorch, image: bert}]}}}}}
status:
  startTime: "2026-11-20T06:00:00Z"
  completionTime: "2026-11-20T11:59:00Z"
  conditions: [{type: Failed, status: "True", reason: PyTorchJobFailed, message: job "bert" is failing because "Worker" replica(s) failed., lastTransitionTime: "2026-11-20T11:59:00Z"}]
`)
		c.node("gpu-0", 8)
		c.worker(0, ended("gpu-0", 1, "Error", "", 1))
		c.worker(1, running("gpu-0", minutes-0.1), func(p *corev1.Pod) { p.CreationTimestamp = before(minutes) })
		c.event("PyTorchJob", "bert", corev1.EventTypeNormal, "ExitedWithCode", "Pod: ml.bert-worker-1 exited with code 137", minutes)
	}
}

// An end that was over hours before the job failed is not why it failed, though
// it knows more than an exit code. One a moment before may well be: what follows
// when a rank is lost is an exit code, too.
func TestAnEndLongOverDoesNotExplainAFailure(t *testing.T) {
	for _, test := range []struct {
		name    string
		minutes float64
		first   train.Cause
		rank    int
	}{
		{"hours before", 300, "application-error", 0},
		{"as long before as a collective waits", 40, "oom-killed", 1},
		{"seconds before", 1.2, "oom-killed", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := answerOf(t, replacedAndFailed(test.minutes)).Findings
			if len(found) == 0 || found[0].Cause != test.first || found[0].RootRank != test.rank {
				t.Fatalf("want %s of rank %d first, found %+v", test.first, test.rank, found)
			}
		})
	}
}

// The end of an earlier pod of a rank is not why its next one failed.
func TestAnEndOfAnEarlierPodDoesNotExplainTheNext(t *testing.T) {
	found := answerOf(t, func(c *cluster) {
		replacedAndFailed(300)(c)
		c.worker(0, ended("gpu-0", 1, "Error", "", 1), func(p *corev1.Pod) { p.CreationTimestamp = before(20) })
		c.event("PyTorchJob", "bert", corev1.EventTypeNormal, "ExitedWithCode", "Pod: ml.bert-worker-0 exited with code 137", 20)
	}).Findings
	if len(found) != 2 || found[0].Cause != "application-error" || found[1].Cause != "oom-killed" || found[1].Severity != train.SeverityWarning {
		t.Fatalf("want the present end, and the earlier ones as a warning, found %+v", found)
	}
}

// A pod that was replaced in the second in which its operator wrote of its end has
// left that end behind: a start is known in whole seconds.
func TestAnEndIsOverInTheSecondOfTheNextStart(t *testing.T) {
	found := answerOf(t, func(c *cluster) {
		c.job(1, runs)
		c.node("gpu-0", 8)
		c.worker(0, running("gpu-0", 9.5))
		c.event("PyTorchJob", "bert", corev1.EventTypeNormal, "ExitedWithCode", "Pod: ml.bert-worker-0 exited with code 137", 9.5)
		c.now = noon.Add(5 * time.Minute)
	}).Findings
	if len(found) != 1 || found[0].Cause != "oom-killed" || found[0].Severity != train.SeverityInfo {
		t.Fatalf("want the end as info, found %+v", found)
	}
}

// The first line of an end that is over reports it.
func TestTitlesOfPastEndsSayThatTheyAreOver(t *testing.T) {
	of := func(status string, now func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, status)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 1, "Error", "", 60), func(p *corev1.Pod) { p.Name, p.UID, p.CreationTimestamp = "bert-worker-0-old", "uid-old", before(90) })
			c.worker(0, now, func(p *corev1.Pod) { p.CreationTimestamp = before(50) })
		}
	}
	const succeeded = `conditions: [{type: Succeeded, status: "True", reason: PyTorchJobSucceeded, lastTransitionTime: "2026-11-20T11:59:00Z"}]`
	well := bothPods(ended("gpu-0", 0, "Completed", "", 1), func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })
	runScenarios(t, []scenario{
		{name: "it runs", want: "application-error", severity: train.SeverityInfo, title: "(it runs again)", build: of(runs, running("gpu-0", 50))},
		{name: "it succeeded", want: "application-error", severity: train.SeverityInfo, title: "(a later attempt succeeded)", build: of(succeeded, well)},
	})
	if found := answerOf(t, of(runs, running("gpu-0", 2))).Findings; len(found) == 0 || found[0].Severity != train.SeverityWarning || strings.Contains(found[0].Title, "again") {
		t.Errorf("it began to run again just now: %+v", found)
	}
}

// The kubelet restarts a container at once the first time, so that its end and
// its next start may be in one second.
func TestARestartWithinASecondIsOver(t *testing.T) {
	found := answerOf(t, func(c *cluster) {
		c.job(1, runs)
		c.node("gpu-0", 8)
		c.worker(0, running("gpu-0", 50), func(p *corev1.Pod) {
			st := &p.Status.ContainerStatuses[0]
			st.RestartCount = 1
			st.LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(60), FinishedAt: st.State.Running.StartedAt}}
		})
	}).Findings
	if len(found) == 0 || found[0].Severity != train.SeverityInfo {
		t.Errorf("found %+v", found)
	}
}
