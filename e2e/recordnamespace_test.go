package e2e

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/operator"
)

// A recording of one namespace reports for another one that it was not requested, and
// for a namespace without jobs that there are none where all namespaces were recorded.
func TestARecordingOfOneNamespaceDoubtsTheOthers(t *testing.T) {
	t.Parallel()
	namespaces(t, "record-one", "record-beside", "record-empty")
	for _, namespace := range []string{"record-one", "record-beside"} {
		plays := operator.Operator{Cluster: cluster, Namespace: namespace}
		must(t, plays.ApplyOwned(t.Context(), pytorchJob("job-of-"+namespace, runsAnywhere)))
	}
	one, all := filepath.Join(t.TempDir(), "one.rec"), filepath.Join(t.TempDir(), "all.rec")
	for _, args := range [][]string{{"record", "-n", "record-one", "-o", one, "--for", "4s"}, {"record", "-o", all, "--for", "4s"}} {
		if _, complaints, err := run(t.Context(), cluster.Kubeconfig, args...); err != nil {
			t.Fatalf("traintop %s: %v\n%s", strings.Join(args, " "), err, complaints)
		}
	}
	for _, c := range []struct {
		command, file, namespace string
		code                     int
		says                     string
	}{
		{"jobs", one, "record-beside", 3, "it was not asked for: what was read is of namespace record-one alone"},
		{"diagnose", one, "record-beside", 3, "it was not asked for: what was read is of namespace record-one alone"},
		{"gpus", one, "record-beside", 3, "it was not asked for: what was read is of namespace record-one alone"},
		{"jobs", one, "record-one", 0, "job-of-record-one"},
		{"jobs", all, "record-beside", 0, "job-of-record-beside"},
		{"jobs", all, "record-empty", 0, "No training jobs in namespace record-empty"},
		{"diagnose", all, "record-empty", 0, "nothing to look at"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		command := exec.CommandContext(ctx, programs.traintop, c.command, "-n", c.namespace, "--from", c.file)
		command.Env = environment()
		text, err := command.CombinedOutput()
		cancel()
		code := 0
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			code = exit.ExitCode()
		}
		if code != c.code || !strings.Contains(string(text), c.says) {
			t.Errorf("traintop %s -n %s of %s ends with %d, want %d and %q:\n%s", c.command, c.namespace, filepath.Base(c.file), code, c.code, c.says, text)
		}
	}
}
