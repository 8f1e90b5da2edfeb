package diagnose

import (
	"fmt"
	"strings"
	"testing"
)

// Commands of general words name what the finding is about: without names they
// list what is in the namespace in use.
func TestCommandsNameTheirObjects(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "a kill: its pod", want: "sigkill-received", says: "kubectl describe pod/bert-worker-0 -n ml", build: failing(ended("gpu-0", 137, "Error", "", 1))},
		{name: "a kill: its node", want: "sigkill-received", says: "kubectl describe node/gpu-0", build: failing(ended("gpu-0", 137, "Error", "", 1))},
	})
	for command, want := range map[string]string{
		"kubectl describe pods":           "kubectl describe pod/a -n ml",
		"kubectl get pods -o wide":        "kubectl get pods -o wide -n ml",
		"kubectl get services,endpoints":  "kubectl get services,endpoints -n ml",
		"kubectl get pods -A -o wide":     "",
		"kubectl get pods -n kube-system": "",
		"kubectl get nodes":               "",
		"kubectl describe nodes":          "kubectl describe node/n",
		"kubectl top pods":                "",
	} {
		if got := strings.Join(namedCommand(strings.Fields(command), "ml", "a", "n"), " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	if got := fmt.Sprint(namedCommand(strings.Fields("kubectl describe pods"), "ml", "", "")); got != "[kubectl describe pods -n ml]" {
		t.Errorf("no pod is known: %s", got)
	}
}
