package recording

import (
	"time"

	"github.com/traintop/traintop/train"
)

// MarkKind is the subject of a mark on the timeline.
type MarkKind string

// Kinds of marks. Findings come from the rules of the recorder's version;
// newer versions may find more.
const (
	MarkFinding  MarkKind = "finding"  // the diagnosis found another cause, or a cause ended
	MarkPhase    MarkKind = "phase"    // a job changed its phase
	MarkRestart  MarkKind = "restart"  // ranks of a job started again
	MarkNew      MarkKind = "new"      // a job appeared
	MarkGone     MarkKind = "gone"     // a job was deleted
	MarkSource   MarkKind = "source"   // a source failed, or recovered
	MarkNode     MarkKind = "node"     // a node is not ready or gone, or ready again
	MarkRecorder MarkKind = "recorder" // the recording itself: a gap, a new start
)

// Mark is one thing that happened, for a timeline.
type Mark struct {
	At time.Time
	// Until is its end, zero if it has no duration.
	Until time.Time
	Kind  MarkKind
	// Job is the job concerned, "" for none.
	Job train.JobID
	// Text describes it for people: "ml/PyTorchJob/bert: Running → Failed".
	Text string
	// Trouble is true if a person should look at it.
	Trouble bool
}

func (e *encoder) timelineMark(m *Mark) {
	e.word(string(m.Kind))
	e.word(string(m.Job))
	e.word(m.Text)
	e.bool(m.Trouble)
	e.time(m.At)
}

func (d *decoder) timelineMark() Mark {
	return Mark{Kind: MarkKind(d.word()), Job: train.JobID(d.word()), Text: d.word(), Trouble: d.bool(), At: d.time()}
}
