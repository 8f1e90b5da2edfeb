package runtime

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var stuckTerminating = rule.Cause{
	ID: "stuck-terminating", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "A pod does not end",
		Meaning: "The pod was deleted, its grace period is over, and its container still runs: the kubelet could not kill it, most often because a process hangs in the driver or in a file system (state D), or because the container runtime does not answer. Until it is gone it keeps its GPUs and its name, so that no successor starts.",
		Fix: "See what the kubelet says of the pod. $ kubectl get events\n" +
			"On the node, look for processes in state D (ps -eo pid,stat,wchan,cmd), and for what the container runtime and the kernel report (journalctl -u containerd, dmesg). Such a process goes only with the node: cordon, drain and reboot it.\n" +
			"Only when the node is gone for good, delete the pod with --force --grace-period=0: on a node that still runs, its processes may go on.",
	},
	Hides:    []train.Cause{"hang-no-output", "low-gpu-utilisation"},
	Evidence: "metadata.deletionTimestamp, at which the grace period ends, is older than two minutes while a container of the pod is running; event FailedKillPod.",

	Find: func(s *rule.JobContext) []train.Finding {
		var found []train.Finding
		for _, p := range s.Pods {
			if f, is := stuckPod(s, p); is {
				found = append(found, f)
			}
		}
		return found
	},
}

const (
	// killTakes is how long the kubelet may take after the grace period to kill
	// a container and to report it.
	killTakes = 2 * time.Minute
	// killFails is after how long it does not succeed any more.
	killFails = 10 * time.Minute
)

// stuckPod examines one pod. Its deletionTimestamp is when its grace period ends.
func stuckPod(s *rule.JobContext, p *rule.Pod) (train.Finding, bool) {
	if p.DeletionTimestamp == nil || p.Rank.State == train.RankLost || !stillRuns(p.Pod) {
		return train.Finding{}, false
	}
	due := p.DeletionTimestamp.Time
	if !s.OlderThan(due, killTakes) {
		return train.Finding{}, false
	}
	node, known := s.LookUp(kinds.NodeKind, "", p.Spec.NodeName)
	if isSilent(node) {
		return train.Finding{}, false // nobody knows whether it still runs
	}
	severity := s.SeverityAfter(due, killFails)
	if s.Job.Phase.Terminal() {
		severity = train.SeverityWarning // the job is over, and its GPUs are held
	}
	f := s.NewFinding(severity, due, p)
	if len(s.Job.Ranks) > 1 {
		f.RootRank = p.Rank.Index
	}
	f.Title = fmt.Sprintf("%s has been terminating for %s, past its grace period%s, on node %s", rule.RankName(p.Rank), termtext.Duration(s.Now.Sub(deletedAt(p))), graceOf(p.Pod), p.Spec.NodeName)
	f.Explanation = s.Current.Meaning
	f.Evidence = []train.Evidence{rule.FieldEvidence(s.Ref(p), "metadata.deletionTimestamp", "its grace period ended, and a container still runs", due, rule.RankOf(p))}
	f.Next = append([]train.Step{rule.Look("See what the kubelet says of the pod.", rule.Kubectl("describe", s.Ref(p))...)}, s.Current.Advice()[1:]...)
	f.Verify = "The pod is gone, and its successor starts."
	if node == nil && known == train.Absent {
		f.Title += ", which does not exist any more"
		f.Explanation = "The node's object is gone while the pod is bound to it: nobody is left who could end the pod. The control plane deletes such pods after a while, unless its pod garbage collector does not run."
		f.Next = []train.Step{
			rule.Look("See whether the node is really gone.", "kubectl", "get", "node", p.Spec.NodeName),
			rule.Run("If its machine is gone, delete the pod without waiting for a kubelet.", append(rule.Kubectl("delete", s.Ref(p)), "--force", "--grace-period=0")...),
		}
	} else if e := failedKill(s, p); e != nil {
		f.Title += ": " + rule.Plain(e.Message)
		f.Evidence = append(f.Evidence, rule.EventEvidence(e, rule.RankOf(p)))
	}
	return f, true
}

// isSilent reports whether a node is known not to answer.
func isSilent(o kinds.Object) bool {
	node, is := o.(*corev1.Node)
	return is && slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue
	})
}

// graceOf returns " of 30 s", "" where the pod states none.
func graceOf(pod *corev1.Pod) string {
	grace := pod.DeletionGracePeriodSeconds
	if grace == nil {
		grace = pod.Spec.TerminationGracePeriodSeconds
	}
	if grace == nil {
		return ""
	}
	return " of " + termtext.Duration(time.Duration(*grace)*time.Second)
}

// stillRuns reports whether a container of a pod runs according to its status.
func stillRuns(pod *corev1.Pod) bool {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed || pod.Spec.NodeName == "" {
		return false
	}
	for i := range pod.Status.ContainerStatuses {
		if pod.Status.ContainerStatuses[i].State.Running != nil {
			return true
		}
	}
	return false
}

// failedKill returns the newest event that the kubelet could not end the pod.
func failedKill(s *rule.JobContext, p *rule.Pod) *corev1.Event {
	return rule.LastEvent(s.PodEvents(p), "FailedKillPod", "FailedPreStopHook")
}

// deletedAt returns when a pod was deleted, before its grace period.
func deletedAt(p *rule.Pod) time.Time {
	at := p.DeletionTimestamp.Time
	if grace := p.DeletionGracePeriodSeconds; grace != nil {
		at = at.Add(-time.Duration(*grace) * time.Second)
	}
	return at
}
