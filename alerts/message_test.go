package alerts

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// A message says what to do while there is something to be done, and how it
// ended afterwards; secrets and control characters are in neither.
func TestMessagesSayWhatIsToBeDone(t *testing.T) {
	n := Notice{Change: Opened, At: noon, Cluster: "prod", Incident: Incident{
		Rule: "failed", Cause: "cuda-out-of-memory", Severity: train.SeverityError, Title: "out of memory\x1b[2J", Rank: 37, Since: noon.Add(-2 * time.Minute),
		Evidence: "HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyzABCDEFGH torch.OutOfMemoryError", Next: "Lower the batch size.", NextCommand: "kubectl get pod",
		Jobs: []AffectedJob{{Namespace: "ml", Kind: "PyTorchJob", Name: "bert", GPUHours: 12.25}},
	}}
	words := func(m Message) string {
		var b strings.Builder
		b.WriteString(m.Heading + "\n")
		for _, f := range m.Fields {
			b.WriteString(f.Name + ": " + f.Text + "\n")
		}
		return b.String() + "evidence: " + m.Evidence + "\n" + m.Command
	}
	opened := words(MessageOf(n))
	for _, want := range []string{"ERROR ml/PyTorchJob/bert: out of memory", "rank: 37", "what to do: Lower the batch size.", "command: kubectl get pod", "(2m)", "12.2 GPU-hours", "torch.OutOfMemoryError", "traintop diagnose ml/PyTorchJob/bert"} {
		if !strings.Contains(opened, want) {
			t.Errorf("%q is not in\n%s", want, opened)
		}
	}
	if strings.Contains(opened, "hf_abc") || strings.Contains(opened, "\x1b") {
		t.Errorf("it has a secret or a control character:\n%q", opened)
	}
	n.Change, n.Incident.Outcome = Resolved, "the job runs"
	resolved := words(MessageOf(n))
	if !strings.Contains(resolved, "RESOLVED ml/PyTorchJob/bert") || !strings.Contains(resolved, "outcome: the job runs") || strings.Contains(resolved, "Lower") || strings.Contains(resolved, "OutOfMemoryError") {
		t.Errorf("after its end it is\n%s", resolved)
	}
}
