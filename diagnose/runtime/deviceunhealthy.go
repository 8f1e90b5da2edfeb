package runtime

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var deviceUnhealthy = rule.Cause{
	ID: "device-unhealthy", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "A device that the job holds is unhealthy",
		Meaning: "The device plugin of the node calls a GPU or another device unhealthy that a running pod holds. Work on it fails, hangs or slows down sooner or later, and no new pod gets it.",
		Fix: "Look at the device on the node: the kernel's log for Xid errors, nvidia-smi, the device plugin's log.\n" +
			"Drain the node and reset or replace the device; the job goes on from its last checkpoint elsewhere. $ kubectl describe nodes",
	},
	Evidence: "status.containerStatuses[].allocatedResourcesStatus with health Unhealthy; a node's allocatable devices below its capacity and below what its pods hold.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase.Terminal() {
			s.CheckSkipped("the job is over")
			return nil
		}
		var found []train.Finding
		for _, p := range s.Pods {
			if p.Status.Phase != corev1.PodRunning {
				continue
			}
			if what, path := UnhealthyDevice(p.Pod); what != "" {
				f := unhealthyFinding(s, p, train.SeverityError, fmt.Sprintf("Device %s of %s is unhealthy", what, rule.RankName(p.Rank)))
				f.Evidence = []train.Evidence{rule.StatusEvidence(s.Ref(p), path, what+": Unhealthy", time.Time{}, rule.RankOf(p))}
				found = append(found, f)
			} else if f, is := takenBack(s, p); is {
				found = append(found, f)
			}
		}
		return found
	},
}

// UnhealthyDevice returns a device of a pod that its plugin calls unhealthy,
// and the field that reports it; "" for none (ResourceHealthStatus, Kubernetes
// 1.31).
func UnhealthyDevice(pod *corev1.Pod) (what, path string) {
	for i := range pod.Status.ContainerStatuses {
		c := &pod.Status.ContainerStatuses[i]
		for _, r := range c.AllocatedResourcesStatus {
			for _, device := range r.Resources {
				if device.Health == corev1.ResourceHealthStatusUnhealthy {
					return string(r.Name) + " " + string(device.ResourceID), "status.containerStatuses[" + c.Name + "].allocatedResourcesStatus"
				}
			}
		}
	}
	return "", ""
}

// Withheld returns a device of which a node may allocate fewer than it has, ""
// for none, and both amounts. Of amounts that are no number of devices nothing is
// reported here: the node names them.
func Withheld(node *corev1.Node) (name string, allocatable, has int64) {
	for resource, amount := range node.Status.Capacity {
		if !capacity.IsDevice(string(resource)) || name != "" && string(resource) >= name {
			continue
		}
		left := node.Status.Allocatable[resource]
		may, isLeft := kinds.DeviceCount(&left)
		all, isAmount := kinds.DeviceCount(&amount)
		if isLeft && isAmount && may < all {
			name, allocatable, has = string(resource), int64(may), int64(all)
		}
	}
	return name, allocatable, has
}

// takenBack examines the node of a pod: its pods hold more devices than it may
// allocate. The node does not report which of several pods holds the unhealthy one.
func takenBack(s *rule.JobContext, p *rule.Pod) (train.Finding, bool) {
	o, _ := s.LookUp(kinds.NodeKind, "", p.Spec.NodeName)
	node, is := o.(*corev1.Node)
	if !is {
		return train.Finding{}, false
	}
	name, allocatable, has := Withheld(node)
	holds := capacity.AmountOf(capacity.RequestsOf(&p.Spec), name)
	if name == "" || holds == 0 {
		return train.Finding{}, false
	}
	title := fmt.Sprintf("Node %s may allocate %d of %d %s, and %s holds more: one of its devices is unhealthy", node.Name, allocatable, has, name, rule.RankName(p.Rank))
	confidence := train.Likely
	if seen := s.Node(node.Name); holds <= allocatable {
		if seen == nil || seen.Held <= seen.Allocatable {
			return train.Finding{}, false
		}
		title = fmt.Sprintf("Node %s may allocate %d of %d %s, and its pods hold %d: one of the devices of %s or of the pods beside it is unhealthy", node.Name, allocatable, has, name, seen.Held, rule.RankName(p.Rank))
		confidence = train.Possible
	}
	f := unhealthyFinding(s, p, train.SeverityWarning, title)
	f.Confidence = confidence
	f.Evidence = []train.Evidence{rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, node), "status.allocatable", fmt.Sprintf("%s: capacity %d, allocatable %d", name, has, allocatable), time.Time{}, -1)}
	return f, true
}

func unhealthyFinding(s *rule.JobContext, p *rule.Pod, severity train.Severity, title string) train.Finding {
	f := s.NewFinding(severity, time.Time{}, p)
	f.RootRank, f.Title, f.Explanation = p.Rank.Index, title, s.Current.Meaning
	f.Next = append([]train.Step{rule.Look("See what is said about the node.", "kubectl", "describe", "node", p.Spec.NodeName)}, s.Current.Advice()...)
	f.Verify = "The device is healthy again, or the rank runs on another node."
	return f
}
