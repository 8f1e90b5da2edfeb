package recording_test

import (
	"path/filepath"
	"testing"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
)

// TestAFileThatAnEarlierProgramContinuedIsOne reads a file of the version
// before runs were joined: the files of cli/testdata/pending.yaml and a log,
// recorded twice, with 30 and then 45 lines.
func TestAFileThatAnEarlierProgramContinuedIsOne(t *testing.T) {
	f := openFile(t, filepath.Join("testdata", "continued-by-an-earlier-program.ttrec"))
	info := f.Info()
	if len(info.Damage) > 0 || len(info.Gaps) != 1 || !info.Gaps[0].Away || !info.Closed {
		t.Errorf("info %+v", info)
	}
	for _, c := range []struct {
		second bool
		lines  int
	}{{false, 30}, {true, 45}} {
		at := info.Gaps[0].From
		if c.second {
			at = f.To()
		}
		s := store.New(f.To)
		if err := f.Load(t.Context(), s, at, recording.Everything); err != nil {
			t.Fatal(err)
		}
		snapshot := s.Snapshot()
		if jobs := snapshot.Jobs(); len(jobs) != 1 || jobs[0].Ref.Name != "llama-70b" {
			t.Errorf("jobs %v", jobs)
		}
		snapshot.Logs(func(log *store.Log) bool {
			if n := log.Lines.Len(); n != c.lines || log.Lines.At(n-1).Number != int64(c.lines) {
				t.Errorf("%d lines, want %d", n, c.lines)
			}
			return true
		})
	}
}
