package diagnose

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// beside puts another container, which runs, before or after the one that
// trains.
func beside(name string, first bool) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		at := len(p.Spec.Containers)
		if first {
			at = 0
		}
		p.Spec.Containers = slices.Insert(p.Spec.Containers, at, corev1.Container{Name: name, Image: "registry.example.com/" + name + ":1"})
		p.Status.ContainerStatuses = slices.Insert(p.Status.ContainerStatuses, at, corev1.ContainerStatus{
			Name: name, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: before(100)}}, Ready: true})
	}
}

// doneBeside is a pod whose training container ended some minutes ago, and
// which runs on.
func doneBeside(code int32, minutes float64, policy corev1.RestartPolicy) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		ended("gpu-0", code, map[bool]string{true: "Completed", false: "Error"}[code == 0], "", minutes)(p)
		p.Status.Phase, p.Spec.RestartPolicy = corev1.PodRunning, policy
	}
}

// A pod ends only when all its containers do, so a container beside the
// training that nobody ends keeps the job for ever.
func TestSidecarsThatKeepPods(t *testing.T) {
	const cause = "sidecar-keeps-pod"
	of := func(changes ...func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, changes...)
		}
	}
	never, onFailure := corev1.RestartPolicyNever, corev1.RestartPolicyOnFailure
	runScenarios(t, []scenario{
		{name: "the training is done", want: cause, severity: train.SeverityError, title: "container log-shipper keeps", says: "kubectl exec -n ml bert-worker-0 -c log-shipper", build: of(doneBeside(0, 20, onFailure), beside("log-shipper", false))},
		{name: "the training has just ended", want: cause, severity: train.SeverityWarning, build: of(doneBeside(0, 5, never), beside("log-shipper", false))},
		{name: "a proxy", want: cause, says: "pilot-agent request POST quitquitquit", build: of(doneBeside(0, 20, never), beside("istio-proxy", true))},
		{name: "the training failed", want: "application-error", title: "worker-0", build: of(doneBeside(1, 20, never), beside("log-shipper", false))},
		{name: "near miss: it ends within a minute", never: []train.Cause{cause}, build: of(doneBeside(0, 1, never), beside("log-shipper", false))},
		{name: "near miss: the training is restarted", want: "application-error", never: []train.Cause{cause}, build: of(doneBeside(1, 20, onFailure), beside("log-shipper", false))},
		{name: "near miss: the training runs", never: []train.Cause{cause}, build: of(running("gpu-0", 20), beside("log-shipper", false))},
		{name: "near miss: the other trains too", never: []train.Cause{cause}, build: of(doneBeside(0, 20, never), beside("second", false), func(p *corev1.Pod) {
			p.Spec.Containers[1].Resources = p.Spec.Containers[0].Resources
		})},
		{name: "near miss: a native sidecar", never: []train.Cause{cause}, build: of(doneBeside(0, 20, never), sidecarEnded(0, 1))},
	})
}

// Where both ended with an error the training's comes first, also where the
// sidecar comes before it in the pod and no kind names the container.
func TestTheTrainingComesBeforeItsSidecar(t *testing.T) {
	answer := answerOf(t, func(c *cluster) {
		c.job(1, failed)
		c.node("gpu-0", 8)
		c.worker(0, ended("gpu-0", 3, "Error", "", 2), beside("shipper", true), func(p *corev1.Pod) {
			p.Spec.Containers[1].Name, p.Status.ContainerStatuses[1].Name = "main", "main"
			p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 143, Reason: "Error", FinishedAt: before(3)}}
		})
	})
	if first := answer.Findings[0]; first.Cause != "application-error" || first.Title != "worker-0 ended with exit code 3" {
		t.Fatalf("first is %s: %s", first.Cause, first.Title)
	}
}

// An exit code alone does not show why a sidecar ended: its log is what is
// missing, also where the training runs on.
func TestWhyASidecarEndsIsUnknownWithoutItsLog(t *testing.T) {
	ended := func(state *corev1.ContainerState) {
		state.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(80), FinishedAt: before(5)}
	}
	crashes := func(p *corev1.Pod) {
		s := &p.Status.ContainerStatuses[1]
		s.Ready, s.RestartCount = false, 7
		s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
		ended(&s.LastTerminationState)
	}
	over := func(p *corev1.Pod) {
		p.Status.ContainerStatuses[1].State = corev1.ContainerState{}
		ended(&p.Status.ContainerStatuses[1].State)
	}
	of := func(change func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 20), beside("log-shipper", false), change, func(p *corev1.Pod) {
				p.Status.Conditions[len(p.Status.Conditions)-1].Status = corev1.ConditionFalse // Ready: its sidecar is not
			})
		}
	}
	stillReady := func(c *cluster) { // an operator counts the rank as active
		c.job(1, runs)
		c.node("gpu-0", 8)
		c.worker(0, running("gpu-0", 20), beside("log-shipper", false), crashes)
	}
	native := func(c *cluster) {
		c.job(1, runs)
		c.node("gpu-0", 8)
		c.worker(0, running("gpu-0", 20), sidecarEnded(1, 5))
	}
	whole := train.StreamStatus{State: train.StreamEnded}
	for name, f := range map[string]struct {
		build  func(*cluster)
		events []store.Event
		want   Verdict
		says   string
	}{
		"ended once":       {of(over), nil, NotEnoughRead, "the log of container log-shipper of rank 0 was not read"},
		"again and again":  {of(crashes), nil, NotEnoughRead, "the log of container log-shipper of rank 0 was not read"},
		"the pod is ready": {stillReady, nil, NotEnoughRead, "the log of container log-shipper of rank 0 was not read"},
		"a native one":     {native, nil, NotEnoughRead, "the log of container proxy of rank 0 was not read"},
		"its log is empty": {of(over), printed("bert-worker-0", "log-shipper", 0, whole, 0), NotEnoughRead, "the log of container log-shipper of rank 0"},
		"its log is read":  {of(over), printed("bert-worker-0", "log-shipper", 0, whole, 9), NotEnoughRead, "the log of container log-shipper of rank 0 says nothing"},
		"its log says why": {of(over), lastSaid(printed("bert-worker-0", "log-shipper", 0, whole, 9), "shipper: FATAL: the bucket is missing"), CauseFound, "the bucket is missing"},
	} {
		got := verdictOf(t, f.build, f.events...)
		if got.Verdict != f.want || !strings.Contains(got.Sentence, f.says) {
			t.Errorf("%s: %s: %s, missing %+v", name, got.Verdict, got.Sentence, got.Missing)
		}
	}
}
