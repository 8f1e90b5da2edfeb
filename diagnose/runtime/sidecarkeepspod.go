package runtime

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var sidecarKeepsPod = rule.Cause{
	ID: "sidecar-keeps-pod", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "A sidecar keeps a pod running whose training has ended",
		Meaning: "The container that trains has ended for good, but another container of the pod still runs. A pod is over only when all its containers are, so the job never ends, and the pod keeps its GPUs.",
		Fix: "End the sidecar when the training ends: most proxies take a request to quit, others a signal.\n" +
			"For the next run make it a native sidecar: an init container with restartPolicy: Always (Kubernetes 1.29), which the kubelet stops when the others are done; or leave it out of this job.",
	},
	Evidence: "Pod phase Running; the training container's state is terminated and its restartPolicy does not start it again, while a container that requests no GPU is running.",
	Hides:    []train.Cause{"hang-no-output", "low-gpu-utilisation", "slow-gpu"},

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase.Terminal() {
			s.CheckSkipped("the job is over")
			return nil
		}
		var found []train.Finding
		for _, p := range s.Pods {
			if f, is := keptBySidecar(s, p); is {
				found = append(found, f)
			}
		}
		return found
	},
}

const (
	// sidecarQuits is how long a sidecar that ends by itself may take: those
	// that upload the last logs or wait for connections to close need less.
	sidecarQuits = 2 * time.Minute
	// sidecarStays is after how long it does not end any more.
	sidecarStays = 10 * time.Minute
)

// keptBySidecar examines one pod.
func keptBySidecar(s *rule.JobContext, p *rule.Pod) (train.Finding, bool) {
	trainer := kinds.ContainerStatus(p.Pod, p.Rank.Container)
	if p.Status.Phase != corev1.PodRunning || p.DeletionTimestamp != nil || p.Rank.State == train.RankLost || !endedForGood(p.Pod, trainer) {
		return train.Finding{}, false
	}
	sidecars := runningSidecars(p)
	if len(sidecars) == 0 {
		return train.Finding{}, false
	}
	end := trainer.State.Terminated
	if !s.OlderThan(end.FinishedAt.Time, sidecarQuits) {
		return train.Finding{}, false
	}
	severity := s.SeverityAfter(end.FinishedAt.Time, sidecarStays)
	if end.ExitCode != 0 {
		severity = train.SeverityWarning // that it failed comes first
	}
	f := s.NewFinding(severity, end.FinishedAt.Time, p)
	f.Title = fmt.Sprintf("The training of %s has ended with exit code %d, but %s %s %s its pod running", rule.RankName(p.Rank), end.ExitCode,
		termtext.Agree(len(sidecars), "container", "containers"), strings.Join(sidecars, ", "), termtext.Agree(len(sidecars), "keeps", "keep"))
	f.Explanation = s.Current.Meaning
	f.Evidence = []train.Evidence{
		rule.StatusEvidence(s.Ref(p), "status.containerStatuses["+trainer.Name+"].state.terminated", fmt.Sprintf("container %s: exit code %d", trainer.Name, end.ExitCode), end.FinishedAt.Time, rule.RankOf(p)),
	}
	for _, name := range sidecars {
		running := kinds.ContainerStatus(p.Pod, name).State.Running
		f.Evidence = append(f.Evidence, rule.StatusEvidence(s.Ref(p), "status.containerStatuses["+name+"].state.running", "container "+name+" still runs", running.StartedAt.Time, rule.RankOf(p)))
	}
	f.Next = append(quitSteps(p, sidecars[0]), s.Current.Advice()...)
	f.Verify = "The pod's phase is Succeeded or Failed, and the job ends."
	return f, true
}

// endedForGood reports whether a container ended and is not started again.
func endedForGood(pod *corev1.Pod, status *corev1.ContainerStatus) bool {
	if status == nil || status.State.Terminated == nil {
		return false
	}
	switch pod.Spec.RestartPolicy {
	case corev1.RestartPolicyNever:
		return true
	case corev1.RestartPolicyOnFailure:
		return status.State.Terminated.ExitCode == 0
	}
	return false
}

// runningSidecars returns the containers beside the one that trains which
// still run; one with GPUs of its own trains too. Native sidecars are init
// containers, and the kubelet ends them.
func runningSidecars(p *rule.Pod) []string {
	var names []string
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		status := kinds.ContainerStatus(p.Pod, c.Name)
		if c.Name == p.Rank.Container || status == nil {
			continue
		}
		if kinds.RequestsDevices(c) && (status.State.Running != nil || status.State.Waiting != nil) {
			return nil
		}
		if status.State.Running != nil {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return names
}

// quitSteps returns how to see what a sidecar waits for, and how to end it.
func quitSteps(p *rule.Pod, name string) []train.Step {
	pod := []string{"-n", p.Namespace, p.Name, "-c", name}
	quit := []string{"sh", "-c", "kill 1"}
	if name == "istio-proxy" { // its image has no kill (istio 1.3 to 1.27)
		quit = []string{"pilot-agent", "request", "POST", "quitquitquit"}
	}
	return []train.Step{
		rule.Look("Read what "+name+" does.", append(append([]string{"kubectl", "logs"}, pod...), "--tail=50")...),
		rule.Run("End "+name+"; the pod is over then.", append(append(append([]string{"kubectl", "exec"}, pod...), "--"), quit...)...),
	}
}
