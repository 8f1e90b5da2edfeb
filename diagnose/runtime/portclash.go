package runtime

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// portNames are the variables that name the port on which the first rank
// waits for the others (torch, JAX, XGBoost).
var portNames = map[string]bool{"MASTER_PORT": true, "PET_MASTER_PORT": true, "PET_RDZV_ENDPOINT": true, "COORDINATOR_PORT": true, "COORDINATOR_ADDRESS": true, "JAX_COORDINATOR_ADDRESS": true}

// meetingPort returns that port and the variable that contains it, "" when
// none does.
func meetingPort(pod *corev1.Pod) (port, variable string) {
	for i := range pod.Spec.Containers {
		for _, v := range pod.Spec.Containers[i].Env {
			if !portNames[v.Name] {
				continue
			}
			port := v.Value[strings.LastIndexByte(v.Value, ':')+1:]
			if port != "" && strings.Trim(port, "0123456789") == "" {
				return port, v.Name
			}
		}
	}
	return "", ""
}

// portClash finds the first rank of another job that waits on the same port of
// the same node: with hostNetwork all pods of a node share its ports, and the
// scheduler knows only of those that containers declare. The later of the two
// cannot listen.
func portClash(s *rule.JobContext) []train.Finding {
	asked := false
	for _, p := range s.Pods {
		if p.Rank.Index != 0 || !p.Spec.HostNetwork || p.Spec.NodeName == "" || s.Job.Phase == train.Succeeded {
			continue
		}
		port, variable := meetingPort(p.Pod)
		if port == "" {
			continue
		}
		asked = true
		s.Deps.Nodes = s.NodesVersion
		if other := listensBefore(s, p, port); other != nil {
			return []train.Finding{clashOf(s, p, other, variable, port)}
		}
	}
	if asked {
		s.CheckPassed("no first rank of another job waits on the same port of its node")
	}
	return nil
}

// listensBefore returns a first rank on the same node that has used the port
// since before p.
func listensBefore(s *rule.JobContext, p *rule.Pod, port string) *corev1.Pod {
	var holder *corev1.Pod
	s.PodsOn(p.Spec.NodeName, func(other *corev1.Pod) bool {
		if other == p.Pod || !other.Spec.HostNetwork || other.Status.Phase != corev1.PodRunning || !StartOf(other).Before(StartOf(p.Pod)) {
			return true
		}
		job := s.JobOf(kinds.PodKind, other.Namespace, other.Name)
		if theirs, _ := meetingPort(other); theirs == port && job != nil && job.ID != s.Job.ID && isFirst(job, other) {
			holder = other
		}
		return holder == nil
	})
	return holder
}

func isFirst(job *train.Job, pod *corev1.Pod) bool {
	for i := range job.Ranks {
		if r := &job.Ranks[i]; r.Pod == pod.Name && r.Namespace == pod.Namespace {
			return r.Index == 0
		}
	}
	return false
}

func StartOf(pod *corev1.Pod) time.Time {
	if pod.Status.StartTime != nil {
		return pod.Status.StartTime.Time
	}
	return pod.CreationTimestamp.Time
}

func clashOf(s *rule.JobContext, p *rule.Pod, other *corev1.Pod, variable, port string) train.Finding {
	severity := train.SeverityWarning
	if p.Rank.State == train.RankCrashing || p.Rank.State == train.RankFailed {
		severity = train.SeverityError
	}
	f := s.NewFinding(severity, StartOf(p.Pod), p)
	f.RootRank, f.Confidence = 0, train.Likely
	f.Title = fmt.Sprintf("Port %s of node %s is taken by %s/%s, a first rank like %s", port, p.Spec.NodeName, other.Namespace, other.Name, rule.RankName(p.Rank))
	f.Explanation = "Both pods use hostNetwork, so they share the node's ports, and both want to wait for their ranks on the same one. The later cannot listen."
	_, theirs := meetingPort(other)
	f.Evidence = []train.Evidence{
		rule.FieldEvidence(s.Ref(p), "spec.hostNetwork", fmt.Sprintf("true, with %s=%s", variable, port), StartOf(p.Pod), 0),
		rule.FieldEvidence(kinds.PodRef(other), "spec.hostNetwork", fmt.Sprintf("true, with %s=%s, on the same node since before", cmp.Or(theirs, variable), port), StartOf(other), -1),
	}
	f.Next = []train.Step{
		rule.Do(fmt.Sprintf("Set another %s in this job, declare it as a hostPort so that the scheduler keeps such pods apart, or do without hostNetwork.", variable)),
		rule.Look("See the pod that has the port.", rule.Kubectl("describe", kinds.PodRef(other))...),
	}
	f.Verify = "The first rank stays up, and the others join it."
	return f
}
