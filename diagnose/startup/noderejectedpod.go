package startup

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var nodeRejectedPod = rule.Cause{
	ID: "node-rejected-pod", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "The node rejected the pod",
		Meaning: "The pod was bound to a node, and the kubelet there did not admit it: too little was free, or node and pod do not match. The pod never ran, and the kubelet does not try it again.",
		Fix: "See what the node has and what its pods hold. $ kubectl describe nodes\n" +
			"Start the job again once it fits; if it repeats, see who binds pods to this node without asking the scheduler (spec.nodeName, a second scheduler).",
	},
	Evidence: "Pod phase Failed with reason OutOfcpu, OutOfmemory, OutOfpods, OutOfnvidia.com/gpu, NodeAffinity, TaintToleration, TopologyAffinityError or SysctlForbidden.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "device-allocation-failed", "pod-security-denied"},

	FromMessages: true,
	Find:         func(s *rule.JobContext) []train.Finding { return goneRejected(s, rejectionBy) },
	MatchesEnd:   func(f *rule.Failure) bool { return rejectionOf(f) != "" },
	Explain:      explainRejected,
}

// rejections are why a kubelet does not admit a pod, by the reason in its
// status, and what helps (kubernetes 1.36 pkg/kubelet/lifecycle/predicate.go,
// pkg/kubelet/cm/topologymanager, pkg/kubelet/sysctl). OutOf with the name of a
// resource is read apart.
var rejections = map[string]struct{ why, help string }{
	"NodeAffinity":          {"its labels do not match the pod's node selector or affinity", "Compare the labels of the node with nodeSelector and affinity of the pod: the node's labels changed, or the pod was bound without the scheduler."},
	"TaintToleration":       {"it has a taint that the pod does not tolerate", "Add a toleration to the pod template, or have the taint taken off."},
	"NodeName":              {"the pod names another node", "Take spec.nodeName out of the pod template."},
	"NodePorts":             {"a host port that the pod wants is taken", "Use another host port, or none."},
	"TopologyAffinityError": {"its topology manager cannot give the pod's CPUs and devices from the NUMA nodes that its policy demands", "Ask for as many CPUs and devices as one NUMA node has, use a whole node, or have topologyManagerPolicy of the kubelet relaxed."},
	"SMTAlignmentError":     {"its CPU manager gives whole cores only, and the pod's CPUs are no multiple of a core's threads", "Ask for a multiple of the threads of a core."},
	"SysctlForbidden":       {"its kubelet does not allow a sysctl that the pod sets", "Take the sysctl out of the pod's securityContext, or have it added to the kubelet's allowedUnsafeSysctls."},
	"PodOSNotSupported":     {"it runs another operating system than the pod names", "Correct spec.os of the pod template, or use other nodes."},
}

// rejectionBy returns why a kubelet did not admit a pod, by the reason that it
// writes into the pod's status and its event; "" for any other reason.
func rejectionBy(reason string) string {
	if what, is := strings.CutPrefix(reason, "OutOf"); is && what != "Memory" && what != "" {
		return "it has too little " + resourceWords(what) + " left"
	}
	return rejections[reason].why
}

// rejectionOf returns why a kubelet did not admit a pod. Where it looks for other pods to
// evict for a critical one and finds none, its reason is that of any other failure
// (kubernetes 1.36 pkg/kubelet/preemption/preemption.go).
func rejectionOf(f *rule.Failure) string {
	if f.Reason == unexpectedAdmission && strings.Contains(f.Message, "recover from admission failure") {
		return "it has too little left, and no pods that may be evicted for it"
	}
	return rejectionBy(f.Reason)
}

// notEnough is what the kubelet reports about too little of a resource.
var notEnough = regexp.MustCompile(`resource: (\S+?), requested: (\d+), used: (\d+), capacity: (\d+)`)

func explainRejected(s *rule.JobContext, f *train.Finding, match *rule.Match) {
	if match == nil || match.Failure == nil {
		return
	}
	end := match.Failure
	f.Confidence = train.Certain
	f.Title = fmt.Sprintf("Node %s rejected %s: %s", match.Node(), s.RanksOf(f), rejectionOf(end))
	f.Explanation = s.Current.Meaning
	if help := rejections[end.Reason].help; help != "" {
		f.Next = []train.Step{rule.Do(help)}
	}
	if amounts := notEnough.FindStringSubmatch(end.Message); amounts != nil {
		amount := func(i int) string {
			n, _ := strconv.ParseInt(amounts[i], 10, 64)
			return rule.Amount(amounts[1], n)
		}
		f.Title += fmt.Sprintf(": %s asked for, %s of %s in use", amount(2), amount(3), amount(4))
		f.Next = []train.Step{rule.Do("Start the job again once the node has room, or ask for less. The scheduler counted the node as free: its pods changed meanwhile, or something binds pods without it.")}
	}
	if node := match.Node(); node != "" {
		f.Next = append(f.Next, rule.Look("See what the node has and which pods hold it.", "kubectl", "describe", "node", node))
	}
}

func resourceWords(name string) string {
	if name == "pods" {
		return "room for pods"
	}
	return name
}
