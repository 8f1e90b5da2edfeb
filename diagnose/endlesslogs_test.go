package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A running job that was named is well only where its log was read up to the
// moment of the request: one that does not end within the limit may contain
// anything behind the part that came.
func TestALogThatDoesNotEndIsNotEnough(t *testing.T) {
	for name, f := range map[string]struct {
		asked time.Time
		line  time.Time
		want  Verdict
	}{
		"read to a line before": {noon, noon.Add(-time.Minute), NotEnoughRead},
		"without a time":        {noon, time.Time{}, NotEnoughRead},
		"read up to now":        {noon, noon.Add(time.Second), NothingWrong},
		"not named":             {time.Time{}, noon.Add(-time.Minute), NothingWrong},
	} {
		st := store.New(func() time.Time { return noon })
		c := newCluster(t)
		c.node("gpu-0", 8)
		c.job(1, runs)
		c.worker(0, running("gpu-0", 9))
		st.Apply(c.events...)
		opened := stateOfLog(train.StreamLive, "")
		st.Apply(opened, store.Logged{Stream: opened.(store.StreamChanged).Stream, Lines: []train.LogLine{{Number: 1, Text: "step 1 loss 2.5", Time: f.line}}},
			stateOfLog(train.StreamFailed, "it has not come to its end"))
		s := st.Snapshot()
		job := s.Jobs()[0].ID
		got := Run(s, Options{Asked: map[train.JobID]*Asked{job: {RankIndices: []int{0}, NamedAt: f.asked}}}, nil).Job(job).Conclusion
		if got.Verdict != f.want || got.Verdict == NotEnoughRead && !strings.Contains(got.Sentence, "the log of rank 0 came before it broke off: it has not come to its end") {
			t.Errorf("%s: %s: %s", name, got.Verdict, got.Sentence)
		}
	}
}
