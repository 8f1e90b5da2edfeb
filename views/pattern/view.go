package pattern

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/formats/draft"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Bounds of what the screen works on, so that a key is answered at once.
const (
	// mostLines of a log are looked at, the newest.
	mostLines = 5000
	// mostKinds of lines are offered.
	mostKinds = 20
)

// View makes a pattern from a line.
type View struct {
	id   train.JobID
	name string
	// lines are those of the log with most lines, as they were when the screen
	// was opened; numbers are theirs in the log. left counts older ones.
	lines   []string
	numbers []int64
	left    int64
	// offered are the lines that look like metrics, at is the one that is shown.
	offered []int
	at      int

	fields  []draft.Field
	names   []string // of the fields, "" for one that is not read
	cursor  int
	match   string
	preview draft.Preview
}

// New makes the screen for a job.
func New(r views.PatternRoute) *View { return &View{id: r.Job} }

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "format" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Pattern }

// Title names the job and how much of its log the pattern reads.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	title := views.Title{Text: "Format of one's own   " + draw.Clean(v.name)}
	if v.match != "" {
		title.Note = fmt.Sprintf("reads %s of %s", draw.Count(v.preview.Matched), draw.Plural(v.preview.Lines, "line"))
	}
	return title
}

// Streams are the logs of the job from their beginning.
func (v *View) Streams(views.Frame) []streams.Want {
	return []streams.Want{{Job: v.id, Whole: true, Shown: true}}
}

// load reads the log once it has lines.
func (v *View) load(f views.Frame) {
	job := f.Snapshot.Job(v.id)
	if job == nil || len(v.offered) > 0 {
		return
	}
	v.name = job.Ref.Name
	v.read(longest(f.Snapshot, job))
	v.offered = draft.Nearest(v.lines, mostKinds)
	v.take(0)
}

// longest is the log of the job that has most lines, nil where none has any.
func longest(s *store.Snapshot, job *train.Job) (best *store.Log) {
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			if n := log.Lines.Len(); n > 0 && (best == nil || n > best.Lines.Len()) {
				best = log
			}
		}
	}
	return best
}

func (v *View) read(log *store.Log) {
	v.lines, v.numbers, v.left = nil, nil, 0
	if log == nil {
		return
	}
	n := log.Lines.Len()
	v.left = int64(max(0, n-mostLines))
	for i := max(0, n-mostLines); i < n; i++ {
		line := log.Lines.At(i)
		v.lines, v.numbers = append(v.lines, ansi.Strip(line.Text)), append(v.numbers, line.Number)
	}
}

// take begins with another line: what has a name is read.
func (v *View) take(at int) {
	if at < 0 || at >= len(v.offered) {
		return
	}
	v.at, v.cursor = at, 0
	v.fields = draft.Fields(v.line())
	v.names = make([]string, len(v.fields))
	for i, f := range v.fields {
		v.names[i] = f.Name
	}
	v.again()
}

func (v *View) line() string { return v.lines[v.offered[v.at]] }

// again makes the pattern and reads the log with it.
func (v *View) again() {
	v.preview = draft.Preview{}
	if v.match = draft.Match(v.line(), v.fields, v.names); v.match == "" {
		return
	}
	// The result of Match is an expression; the names are those of groups.
	v.preview, _ = draft.Read(v.match, v.lines)
}
