package recording

import (
	"time"

	"github.com/traintop/traintop/train"
)

// MarkKind says what a mark on the timeline is about.
type MarkKind string

// What is marked. Findings are those of the rules that were there when it was
// recorded: newer ones may find more.
const (
	MarkFinding  MarkKind = "finding"  // the diagnosis found another cause, or it is over
	MarkPhase    MarkKind = "phase"    // a job is in another phase
	MarkRestart  MarkKind = "restart"  // ranks of a job started again
	MarkNew      MarkKind = "new"      // a job appeared
	MarkGone     MarkKind = "gone"     // a job is no longer there
	MarkSource   MarkKind = "source"   // a source is in trouble, or well again
	MarkNode     MarkKind = "node"     // a node is lost, or ready again
	MarkRecorder MarkKind = "recorder" // the recording itself: a gap, a new beginning
)

// Mark is something that happened, for a timeline.
type Mark struct {
	At time.Time
	// Until is when it was over, zero for what has no length.
	Until time.Time
	Kind  MarkKind
	// Job is whose it is, "" for none.
	Job train.JobID
	// Text says it to people: "ml/PyTorchJob/bert: Running → Failed".
	Text string
	// Trouble is true for what a person should look at.
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
