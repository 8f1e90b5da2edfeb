package e2e

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/train"
)

// A job fails; the key saves its excerpt, also where the past of the cluster
// is not kept, and the excerpt's diagnosis equals the job's.
func TestAnExcerptIsDiagnosedAsTheJobWas(t *testing.T) {
	t.Parallel()
	const namespace = "excerpt"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("bert", runsAnywhere)))
	log := newContainerLog(t, "bert")
	serveLogs(t, plays, "bert-worker-0", log, nil)
	log.print("step: 1/2000 loss: 9.5 lr: 0.001", "step: 2/2000 loss: 9.1 lr: 0.001", "Traceback (most recent call last):", `  File "/workspace/train.py", line 88, in <module>`, "    loss.backward()",
		"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.21 GiB is free.")
	must(t, plays.Annotate(t.Context(), "bert-worker-0", "e2e/exit", "1"))
	said := func(args ...string) (all []finding) {
		t.Helper()
		for _, f := range diagnoseCommand(t, cluster.Kubeconfig, append([]string{"bert", "-n", namespace}, args...)...).Findings {
			all = append(all, finding{f.Cause, f.Severity, f.Title, f.RootRank, f.Hides})
		}
		return all
	}
	var live []finding
	for late := time.Now().Add(time.Minute); len(live) == 0 || live[0].Cause != "cuda-out-of-memory"; time.Sleep(time.Second) {
		if live = said(); time.Now().After(late) {
			t.Fatalf("live it is %+v", live)
		}
	}

	for _, rewind := range []string{"off", "64Mi"} {
		home := t.TempDir()
		must(t, os.MkdirAll(filepath.Join(home, "traintop"), 0o700))
		must(t, os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), []byte("rewind: "+rewind), 0o600))
		shown := openScreenWith(t, environmentIn(home), io.Discard, cluster.Kubeconfig, "-n", namespace)
		shown.waitFor("bert")
		shown.waitQuiet()
		shown.press("I")
		excerpt := untilSaved(t, home)
		if got := said("--from", excerpt); !reflect.DeepEqual(live, got) {
			t.Errorf("rewind %s: live it was\n%+v\nand of the excerpt it is\n%+v", rewind, live, got)
		}
	}
}

// finding is the part of a finding that has to be the same.
type finding struct {
	Cause    train.Cause
	Severity train.Severity
	Title    string
	RootRank *int
	Hides    []train.Cause
}

// untilSaved waits for the excerpt that a screen saves, and until it can be
// read to its end.
func untilSaved(t *testing.T, home string) (path string) {
	t.Helper()
	for late := time.Now().Add(screenPatience); ; time.Sleep(200 * time.Millisecond) {
		found, err := filepath.Glob(filepath.Join(home, "traintop", "saved", "excerpt-*.ttrec"))
		must(t, err)
		if len(found) == 1 {
			file, err := recording.Open(found[0])
			if err == nil && file.Info().Closed {
				must(t, file.Close())
				return found[0]
			}
		}
		if time.Now().After(late) {
			t.Fatalf("no excerpt was saved: %v", found)
		}
	}
}
