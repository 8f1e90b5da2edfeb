package diagnose

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// nodeFault is what an agent on a node (node-problem-detector, the node
// monitoring agents of clouds) reports of its devices, kernel or network.
type nodeFault struct {
	cause train.Cause
	// says is the fault in a few words; action is what to do, "" for the
	// cause's own advice.
	says, action string
	// meaning explains the fault, "" for the words of the cause.
	meaning string
	// mild is true for what harms no rank by itself.
	mild  bool
	at    time.Time
	proof train.Evidence
}

// reporter returns who reports a fault.
func (f *nodeFault) reporter() string {
	if f.proof.Kind == train.EvidenceLog {
		return "A log of the node's kernel says so."
	}
	return "An agent on the node says so."
}

// agentWords are reasons and condition types that name a fault without a
// driver message (aws/eks-node-monitoring-agent 1.7 pkg/reasons; AKS 2026 GPU
// health monitoring; node-problem-detector 0.8 config/*.json).
var agentWords = []struct {
	word  string
	cause train.Cause
}{
	{"NvidiaDoubleBitError", "gpu-ecc-error"}, {"NvidiaPageRetirement", "gpu-ecc-error"},
	{"NvidiaNVLinkError", "nvlink-error"}, {"NvidiaFabricError", "nvlink-error"}, {"FabricManagerNotRunning", "nvlink-error"}, {"NVLinkStatusInactive", "nvlink-error"},
	{"NvidiaDeviceCountMismatch", "gpu-fell-off-bus"}, {"GPUMissing", "gpu-fell-off-bus"},
	{"IBLinkFlapping", "network-hw-degraded"},
	{"NeuronDMAError", "neuron-init-failed"}, {"NeuronHBMUncorrectableError", "neuron-init-failed"}, {"NeuronNCUncorrectableError", "neuron-init-failed"}, {"NeuronSRAMUncorrectableError", "neuron-init-failed"},
}

// nodeCauses are the causes that an agent's report on a node can show.
var nodeCauses = map[train.Cause]bool{
	"gpu-xid-error": true, "gpu-ecc-error": true, "gpu-fell-off-bus": true, "nvlink-error": true, "network-hw-degraded": true,
	"storage-hang": true, "illegal-memory-access": true, "neuron-init-failed": true,
}

// xidInReason matches an Xid in an agent's reason: NvidiaXID64Error, Xid79.
var xidInReason = regexp.MustCompile(`(?i)xid[ _-]?(\d+)`)

// faultIn parses an agent's report; "" where it is no fault of a device.
func faultIn(text string) (cause train.Cause, says, action string) {
	if m := xidInReason.FindStringSubmatch(text); m != nil {
		if x, is := train.XidNamed(m[1]); is {
			return x.CauseNow(), fmt.Sprintf("Xid %d, %s", x.Code, x.Meaning), x.Action
		}
	}
	for _, match := range signatures.Find(signatures.InKernel, text) {
		if nodeCauses[match.Cause] {
			return match.Cause, text, ""
		}
	}
	for _, w := range agentWords {
		if strings.Contains(text, w.word) {
			return w.cause, text, ""
		}
	}
	return "", "", ""
}

// fromNodes returns findings from what agents report of the nodes that the
// ranks run on: conditions that hold, and events since the pods began where a
// rank failed.
func fromNodes(s *rule.JobContext) []train.Finding {
	if s.Job.Phase == train.Succeeded {
		return nil
	}
	byNode := map[string][]*rule.Pod{}
	for _, p := range s.Pods {
		if name := p.Spec.NodeName; name != "" && (s.Pressed[name] != "" || broken(p.Rank)) {
			byNode[name] = append(byNode[name], p)
		}
	}
	var found []train.Finding
	reported := map[train.Cause]int{}
	for _, name := range capacity.SortedKeys(byNode) {
		found = append(found, killsBeside(s, name, byNode[name])...)
		found = append(found, interruptions(s, name, byNode[name])...)
		for _, fault := range nodeFaults(s, name, byNode[name]) {
			c := s.Causes.Of(fault.cause)
			if c == nil {
				continue
			}
			s.Current = c
			if at, known := reported[c.ID]; known {
				found[at].Evidence = append(found[at].Evidence, fault.proof)
				found[at].Ranks = sorted(append(found[at].Ranks, s.NewFinding("", fault.at, byNode[name]...).Ranks...))
				continue
			}
			reported[c.ID] = len(found)
			found = append(found, faultFinding(s, name, byNode[name], &fault))
		}
	}
	return found
}

// broken reports whether a rank failed or keeps restarting.
func broken(r *train.Rank) bool {
	return r.State == train.RankFailed || r.State == train.RankCrashing || r.State == train.RankLost || r.Restarts > 0
}

// nodeFaults returns the faults of one node, conditions first.
func nodeFaults(s *rule.JobContext, name string, pods []*rule.Pod) []nodeFault {
	ref := rule.CoreRef("Node", "", name)
	var faults []nodeFault
	note := func(text string, of []nodeFault, at time.Time, proof train.Evidence) {
		if cause, says, action := faultIn(text); len(of) == 0 && cause != "" {
			of = []nodeFault{{cause: cause, says: rule.Plain(says), action: action}}
		}
		for _, fault := range of {
			fault.at, fault.proof = at, proof
			faults = append(faults, fault)
		}
	}
	o, _ := s.LookUp(kinds.NodeKind, "", name)
	if node, is := o.(*corev1.Node); is {
		for i := range node.Status.Conditions {
			c := &node.Status.Conditions[i]
			if reportsTrouble(c) {
				text := conditionText(c)
				since := kinds.HeldSince(node, c.LastTransitionTime.Time)
				note(text, sentinelFaults(string(c.Type), c.Reason, c.Message), since, rule.StatusEvidence(ref, "status.conditions["+string(c.Type)+"]", text, since, rule.RankOf(pods[0])))
			}
		}
	}
	began := runtime.StartOf(pods[0].Pod)
	failedAny := s.Job.Phase == train.Failed || slices.ContainsFunc(pods, func(p *rule.Pod) bool { return broken(p.Rank) })
	for _, e := range s.EventsFor(ref) {
		if e.Type != corev1.EventTypeNormal && !kinds.EventTime(e).Before(began) && (failedAny || harmsRunning(e)) {
			note(e.Reason+": "+e.Message, eventFaults(e), kinds.EventTime(e), rule.EventEvidence(e, rule.RankOf(pods[0])))
		}
	}
	if failedAny {
		kernelLines(s, name, func(log *store.Log, hit *train.LogHit) {
			if !hit.Time.Before(began) {
				note(hit.Text[ofKernel.FindStringIndex(hit.Text)[1]:], nil, hit.Time, train.Evidence{Kind: train.EvidenceLog, Object: ref, Text: rule.Plain(hit.Text), Time: hit.Time, Rank: rule.RankOf(pods[0]), Stream: log.ID, Line: hit.Line})
			}
		})
	}
	return faults
}

// kernelLines visits what logs of no pod report about devices of a node, with their
// times: a journal or a kernel log beside the objects, whose lines or whose path name
// the node.
func kernelLines(s *rule.JobContext, node string, visit func(*store.Log, *train.LogHit)) {
	s.Logs(func(log *store.Log) bool {
		if log.ID.Pod != "" {
			return true
		}
		for i := range log.Hits {
			hit := &log.Hits[i]
			if nodeCauses[hit.Cause] && !hit.Time.IsZero() && ofKernel.MatchString(hit.Text) && ofNode(log.ID.File, hit.Text, node) {
				visit(log, hit)
			}
		}
		return true
	})
}

// ofKernel matches what is before a message of the kernel in a journal, or where its driver
// for GPUs begins in what dmesg prints.
var ofKernel = regexp.MustCompile(`^.*? kernel: (?:\[ *[\d.]+\] )?|^\[[^\]]*\] (?:NVRM: )`)

// hostOfLine matches the machine in a line of a journal, before the kernel's message.
var hostOfLine = regexp.MustCompile(`(\S+) kernel: `)

// ofNode reports whether a line of a kernel, or where it names no machine a folder or the name
// of its file, names a node.
func ofNode(file, line, node string) bool {
	if m := hostOfLine.FindStringSubmatch(line); m != nil && !strings.Contains(m[1], ":") {
		host, _, _ := strings.Cut(m[1], ".")
		return m[1] == node || host == node
	}
	parts := strings.Split(filepath.ToSlash(file), "/")
	base, _, _ := strings.Cut(parts[len(parts)-1], ".")
	return slices.Contains(parts, node) || base == node
}

// conditionText returns a condition as text: its type, reason and message.
func conditionText(c *corev1.NodeCondition) string {
	return strings.Join(rule.NonEmpty(string(c.Type), c.Reason, c.Message), ": ")
}

// eventFaults returns the faults in an event of NVSentinel. It writes events of
// what needs no action at once.
func eventFaults(e *corev1.Event) []nodeFault {
	if !isSentinelEvent(e) {
		return nil
	}
	faults := sentinelFaults(e.Type, e.Reason, e.Message)
	for i := range faults {
		faults[i].mild = true
	}
	return faults
}

// reportsTrouble reports whether a condition of an agent or a network reports trouble: most names
// describe a problem, those that end in Ready or Healthy a good state.
func reportsTrouble(c *corev1.NodeCondition) bool {
	switch c.Type {
	case corev1.NodeReady, corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure:
		return false // signals and rules look at them
	}
	if kinds.NamesGoodState(string(c.Type)) {
		return c.Status == corev1.ConditionFalse
	}
	return c.Status == corev1.ConditionTrue
}

func faultFinding(s *rule.JobContext, name string, pods []*rule.Pod, fault *nodeFault) train.Finding {
	severity := train.SeverityWarning
	if fault.mild {
		severity = train.SeverityInfo
	}
	for _, p := range pods {
		if s.Job.Phase == train.Failed || p.Rank.State == train.RankFailed || p.Rank.State == train.RankCrashing || p.Rank.State == train.RankLost {
			severity = train.SeverityError
			if fault.mild {
				severity = train.SeverityWarning
			}
		}
	}
	f := s.NewFinding(severity, fault.at, pods...)
	if len(f.Ranks) == 1 && len(s.Job.Ranks) > 1 {
		f.RootRank = f.Ranks[0]
	}
	f.Confidence = train.Likely
	if fault.mild {
		f.Confidence = train.Possible
	}
	f.Title = fmt.Sprintf("Node %s, where %s %s, reports a fault: %s", name, rule.RankNames(pods), termtext.Agree(len(pods), "runs", "run"), fault.says)
	f.Explanation = cmp.Or(fault.meaning, s.Current.Meaning) + " " + fault.reporter()
	f.Evidence = []train.Evidence{fault.proof}
	f.Next = s.Current.Advice()
	if fault.action != "" {
		f.Next = []train.Step{rule.Do(rule.Capital(fault.action) + ".")}
	}
	f.Next = append(f.Next, rule.Look("See what is said about the node.", "kubectl", "describe", "node", name))
	f.Verify = "The node no longer says so, or the ranks run on another node and make steps."
	return f
}
