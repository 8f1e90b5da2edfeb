package diagnose

import (
	"github.com/traintop/traintop/diagnose/rule"
	"strings"
	"testing"
	"unicode/utf8"
)

// A scheduler's message may contain any text: it is parsed without a panic,
// and quotes of it are safe for one line.
func FuzzSentence(f *testing.F) {
	for _, message := range []string{
		"0/6 nodes are available: 1 node(s) had untolerated taint(s), 4 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.",
		"No nodes are available that match all of the following predicates:: Insufficient memory (88), MatchNodeSelector (5).",
		"0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 Insufficient nvidia.com/gpu.",
		`0/6 nodes are available: persistentvolumeclaim "coco-2026" not found. not found`,
		"pod group is not ready, 4 Pending, 4 minAvailable; Pending: 2 Schedulable, 2 Unschedulable. Origin reason is a-2: 0/6 nodes are unavailable: 4 Insufficient nvidia.com/gpu.",
	} {
		f.Add(message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		s := rule.ParseSchedulerMessage(message)
		if main := s.Main(); main != nil && main.Cause == "" {
			t.Errorf("a clause without a cause is the main one: %+v", main)
		}
		line := rule.Plain(message)
		if strings.ContainsAny(line, "\n\r\x1b\x00") || !utf8.ValidString(line) || utf8.RuneCountInString(line) > rule.LongestText+8 {
			t.Errorf("not fit for a line: %q", line)
		}
		if quoted := rule.Quoted([]string{"kubectl", message}); strings.Count(quoted, "'")%2 != 0 && !strings.Contains(message, "'") {
			t.Errorf("open quote: %q", quoted)
		}
	})
}

func TestSentencesOfAllVersions(t *testing.T) {
	f := func(message, cause, what string) {
		t.Helper()
		s := rule.ParseSchedulerMessage(message)
		main := s.Main()
		if main == nil || string(main.Cause) != cause || main.What != what {
			t.Errorf("%q: %+v, want %s %s", message, main, cause, what)
		}
	}
	f("0/6 nodes are available: 3 node(s) didn't match node selector, 6 Insufficient nvidia.com/gpu.", "insufficient-gpu", "nvidia.com/gpu")
	f("No nodes are available that match all of the following predicates:: Insufficient memory (88), MatchNodeSelector (5).", "insufficient-memory", "memory")
	f("0/3 nodes are available: 3 node(s) had taint {dedicated: ml}, that the pod didn't tolerate.", "untolerated-taint", "dedicated")
	f("0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }.", "node-not-ready", "node.kubernetes.io/disk-pressure")
	f("pod has unbound PersistentVolumeClaims (repeated 4 times)", "unbound-pvc", "")
	f("0/4 nodes are available: 4 pod has unbound immediate PersistentVolumeClaims. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling..", "unbound-pvc", "")
	f("0/2 nodes are available: 2 node(s) had volume node affinity conflict.", "volume-node-affinity-conflict", "")
	f(`0/6 nodes are available: persistentvolumeclaim "coco-2026" not found. not found`, "pvc-not-found", "coco-2026")
	f("0/5 nodes are available: 1 node(s) were unschedulable, 4 Insufficient cpu.", "insufficient-cpu", "cpu")
	f("0/1 nodes are available: 1 NodeUnderMemoryPressure.", "node-not-ready", "")
	f("0/1 nodes are available: 1 Insufficient huawei.com/Ascend910.", "insufficient-gpu", "huawei.com/Ascend910")
}
