package e2e

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// The API server is out of reach while a recorder runs: the outage is a state
// of the source and two marks in the file, and later events are in it.
func TestAnOutageIsRecorded(t *testing.T) {
	t.Parallel()
	const namespace = "record-outage"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("before", runsAnywhere)))
	wire, kubeconfig := newWire(t)
	path := filepath.Join(t.TempDir(), "a.ttrec")
	recorder := startRecorderOf(t, kubeconfig, path, "-n", namespace)
	untilInFile(t, path, func(s *store.Snapshot) error { return runs(s, "before") })
	wire.cut()
	untilInFile(t, path, func(s *store.Snapshot) error { return connectionIs(s, train.SourceRetrying) })
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("meanwhile", runsAnywhere)))
	wire.mend()
	untilInFile(t, path, func(s *store.Snapshot) error { return runs(s, "before", "meanwhile") })
	must(t, recorder.Process.Signal(syscall.SIGTERM))
	if err := recorder.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, recorder.Stderr.(*bytes.Buffer))
	}
	file, err := recording.Open(path)
	must(t, err)
	defer func() { must(t, file.Close()) }()
	marks, err := file.Marks(t.Context())
	must(t, err)
	var lost, well bool
	for _, mark := range marks {
		if mark.Kind == recording.MarkSource && strings.HasPrefix(mark.Text, "kube: ") {
			lost, well = lost || mark.Trouble, well || lost && !mark.Trouble
		}
	}
	if info := file.Info(); !lost || !well || len(info.Gaps)+len(info.Damage) > 0 {
		t.Errorf("marks %+v, info %+v", marks, info)
	}
}

// untilInFile waits until the end of a recording that is being written is as
// it should be.
func untilInFile(t *testing.T, path string, isRight func(*store.Snapshot) error) {
	t.Helper()
	must(t, cluster.Wait(t.Context(), 2*recovered, func(ctx context.Context) error {
		file, err := recording.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // read only
		end := store.New(time.Now)
		if err := file.Load(ctx, end, file.To(), recording.Backlog); err != nil {
			return err
		}
		return isRight(end.Snapshot())
	}))
}
