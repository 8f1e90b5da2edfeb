package changes

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Dumps of a real control plane and single objects found in public repositories; each
// file names its origin.
const (
	clusters = "../../train/kinds/testdata/clusters/"
	objects  = "../../train/kinds/testdata/objects/"
)

// snapshotOf reads files into a snapshot as the program does.
func snapshotOf(t testing.TB, paths ...string) *store.Snapshot {
	t.Helper()
	st := store.New(func() time.Time { return time.Time{} })
	if err := dump.New(paths, dump.Options{}).Run(context.Background(), st); err != nil {
		t.Fatal(err)
	}
	return st.Snapshot()
}

// only returns the one job of a snapshot with that name.
func only(t testing.TB, s *store.Snapshot, name string) *train.Job {
	t.Helper()
	for _, job := range s.Jobs() {
		if job.Ref.Name == name || name == "" {
			return job
		}
	}
	t.Fatalf("no job %s in the snapshot", name)
	return nil
}

// written formats a plan as a person would read it, with its requests.
func written(plan Plan) string {
	var b strings.Builder
	b.WriteString(plan.Title + "\n")
	for _, target := range plan.Targets {
		if target.Refused != "" {
			fmt.Fprintf(&b, "  refused: %s\n", target.Refused)
		}
		for _, line := range target.Consequences {
			fmt.Fprintf(&b, "  - %s\n", line)
		}
		for _, r := range target.Requests {
			fmt.Fprintf(&b, "  > %s %s %s %s %s\n", r.Verb, r.Ref, r.Propagation, r.PatchType, r.Body)
		}
	}
	for _, warning := range plan.Warnings {
		fmt.Fprintf(&b, "  ! %s\n", warning)
	}
	return b.String()
}

func podsOf(job *train.Job) []train.Ref {
	var refs []train.Ref
	for i := range job.Ranks {
		if r := &job.Ranks[i]; r.Pod != "" {
			refs = append(refs, train.PodRef(r.Namespace, r.Pod, r.PodUID))
		}
	}
	return refs
}
