package wait

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Event is what a line reports.
type Event string

const (
	// EventWaiting: there is no such job yet.
	EventWaiting Event = "waiting"
	// EventState: the first sight of a job, and every change of its state.
	EventState Event = "state"
	// EventDeleted and EventRecreated: the object is gone, or another one has
	// its name.
	EventDeleted   Event = "deleted"
	EventRecreated Event = "recreated"
	// EventUnreachable and EventReachable: the cluster gives no answer, or
	// does again.
	EventUnreachable Event = "unreachable"
	EventReachable   Event = "reachable"
	// EventNote: something that is needed cannot be read, or is named otherwise.
	EventNote Event = "note"
	// EventOutcome: the wait for a job is over.
	EventOutcome Event = "outcome"
)

// Line is one change. Fields that the event does not have are zero; unknown
// numbers are NaN.
type Line struct {
	Event Event
	// Time is that of the snapshot.
	Time    time.Time
	Job     train.Ref
	Attempt int

	Phase            train.Phase
	Wanted, Ready    int
	Restarts         int
	Step, TotalSteps float64
	// Loss is meaningless unless HasLoss: it may be NaN itself.
	Loss    float64
	HasLoss bool
	// Why explains the state or the outcome; of other events it is the text.
	Why string

	Outcome   Outcome
	Condition string
}

// newLine returns a line without numbers.
func newLine(event Event, at time.Time) Line {
	none := math.NaN()
	return Line{Event: event, Time: at, Step: none, TotalSteps: none, Loss: none}
}

// String returns the line for people, on one line and safe for a terminal.
func (l *Line) String() string {
	var parts []string
	if !l.Time.IsZero() {
		parts = append(parts, l.Time.UTC().Format("2006-01-02T15:04:05Z"))
	}
	if l.Job.Name != "" {
		parts = append(parts, termtext.Line(l.Job.String()))
	}
	switch l.Event {
	case EventState:
		parts = append(parts, l.state()...)
	case EventOutcome:
		word := string(l.Outcome)
		if l.Condition != "" {
			word += " " + l.Condition
		}
		parts = append(parts, word)
	case EventDeleted, EventRecreated, EventUnreachable, EventReachable:
		parts = append(parts, string(l.Event))
	}
	if l.Why != "" {
		parts = append(parts, termtext.Line(l.Why))
	}
	return strings.Join(parts, "  ")
}

func (l *Line) state() []string {
	var parts []string
	if l.Phase != "" {
		parts = append(parts, string(l.Phase))
	}
	if l.Wanted > 0 {
		parts = append(parts, fmt.Sprintf("%d/%s", l.Ready, termtext.Count(l.Wanted, "rank")))
	}
	if l.Restarts > 0 {
		parts = append(parts, termtext.Count(l.Restarts, "restart"))
	}
	if !math.IsNaN(l.Step) {
		step := "step " + text(l.Step)
		if !math.IsNaN(l.TotalSteps) {
			step += "/" + text(l.TotalSteps)
		}
		parts = append(parts, step)
	}
	if l.HasLoss {
		parts = append(parts, "loss "+text(l.Loss))
	}
	return parts
}
