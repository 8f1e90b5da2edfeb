package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// noteNodeEvents adds to the nodes under pressure those whose events report
// what harms running ranks: a job on them is examined although it just runs.
// Conditions show it only where an agent keeps one.
func noteNodeEvents(s *store.Snapshot, pressed map[string]string) map[string]string {
	s.Events(func(e *corev1.Event) bool {
		if about := &e.InvolvedObject; about.Kind == "Node" && (harmsRunning(e) || interrupts(e)) {
			if pressed == nil {
				pressed = map[string]string{}
			}
			pressed[about.Name] += e.Reason + " " + kinds.EventTime(e).UTC().Format("15:04:05 ")
		}
		return true
	})
	return pressed
}

// harmsRunning reports whether an event about a node concerns ranks that run
// there and have not failed: a fatal fault of a device, or that the kernel
// killed a process to save the node. NVSentinel's are shown whatever they report.
func harmsRunning(e *corev1.Event) bool {
	return e.Type != corev1.EventTypeNormal && (runtime.IsSystemOOM(e) || isSentinelEvent(e) || isFatalFault(e.Reason+": "+e.Message))
}

// deviceCauses are the faults of devices after which what runs there is
// doomed, or its numbers are wrong.
var deviceCauses = map[train.Cause]bool{
	"gpu-xid-error": true, "gpu-ecc-error": true, "gpu-fell-off-bus": true, "nvlink-error": true, "neuron-init-failed": true,
}

// xidOfDriver matches the code in a line of the driver: NVRM: Xid
// (PCI:0000:9b:00): 79, pid=4711.
var xidOfDriver = regexp.MustCompile(`(?i)xid \([^)]*\): ?(\d+)`)

// isFatalFault reports whether an agent's text is about such a fault.
func isFatalFault(text string) bool {
	cause, _, _ := faultIn(text)
	if !deviceCauses[cause] {
		return false
	}
	for _, pattern := range []*regexp.Regexp{xidOfDriver, xidInReason} {
		if m := pattern.FindStringSubmatch(text); m != nil {
			x, known := train.XidNamed(m[1])
			return known && (x.Severity() == train.SeverityError || x.Blame == train.BlameDriver) // the driver needs a reset
		}
	}
	return true
}

// victimIn matches the process in the kubelet's event: System OOM encountered,
// victim process: python, pid: 4711.
var victimIn = regexp.MustCompile(`victim process: ([^,]+)`)

// trainerProcess matches names of processes that trainings consist of; the
// kernel cuts them to 15 bytes (PyTorch names its threads pt_main_thread and
// pt_data_worker).
var trainerProcess = regexp.MustCompile(`^(?:python|pt_|torchrun|ray|deepspeed|accelerate|mpirun|horovod|train)`)

// killSettles is after how long a job that lost a worker of its data loader makes no more
// steps: what was loaded before is used up, and the loader reports the loss.
const killSettles = time.Minute

// killsBeside returns the findings that the kernel killed a process on a node
// where ranks go on to run: a worker of the data loader may be among them. The end
// of a rank that ended shows it.
func killsBeside(s *rule.JobContext, name string, pods []*rule.Pod) []train.Finding {
	var last *corev1.Event
	began := runtime.StartOf(pods[0].Pod)
	for _, e := range s.EventsFor(rule.CoreRef("Node", "", name)) {
		if runtime.IsSystemOOM(e) && !kinds.EventTime(e).Before(began) {
			last = e
		}
	}
	if last == nil || s.Job.Phase != train.Running || slices.ContainsFunc(pods, func(p *rule.Pod) bool { return p.Rank.State != train.RankRunning || broken(p.Rank) }) {
		return nil
	}
	c := s.Causes.Of("host-oom")
	s.Current = c
	severity, victim := train.SeverityInfo, "a process"
	if m := victimIn.FindStringSubmatch(last.Message); m != nil {
		victim = "process " + m[1]
		if trainerProcess.MatchString(m[1]) && !wentOn(s, kinds.EventTime(last).Add(killSettles), s.Now) {
			severity = train.SeverityWarning
		}
	}
	f := s.NewFinding(severity, kinds.EventTime(last), pods...)
	f.Confidence = train.Possible
	f.Title = fmt.Sprintf("Node %s ran out of memory while %s ran on it, and the kernel killed %s", name, rule.RankNames(pods), victim)
	f.Explanation = c.Meaning + " The event does not say to which pod the process belonged; a worker of the data loader may end so without its container."
	f.Evidence = []train.Evidence{rule.EventEvidence(last, rule.RankOf(pods[0]))}
	f.Next = append(c.Advice(), rule.Look("See what the pods of the node request, and what the node says.", "kubectl", "describe", "node", name))
	f.Verify = "No further event SystemOOM comes from node " + name + "."
	return []train.Finding{f}
}
