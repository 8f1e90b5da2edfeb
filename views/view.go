// Package views is the contract between the shell (ui) and the screens, each of
// which is a package below this one.
//
// A screen owns its cursor, scroll and filter and nothing else. It draws only
// from itself and the given Frame. It receives actions, never keys; it returns
// an Effect for everything that the shell has to do.
package views

import (
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/views/draw"
)

// Frame is everything a screen may draw from.
type Frame struct {
	Snapshot *store.Snapshot
	// Width and Height are in terminal cells; a screen draws exactly that many.
	Width, Height int
	Theme         *themes.Theme
	// Namespace limits what is shown; "" shows all.
	Namespace string
	// Context is the name of the cluster's context, or of the file shown.
	Context string
	// Selector limits the jobs that are shown by their labels; nil shows all.
	Selector labels.Selector
	// Ages prints how long ago things were, and records whether seconds are
	// shown.
	Ages *draw.Ages
	// Streams is which logs are followed now, and why others are not.
	Streams *streams.Plan
	// FollowsLogs is true where a log that is asked for is opened: on a live
	// cluster.
	FollowsLogs bool
	// Rights are the actions allowed in the cluster.
	Rights keymap.Rights
	// Probes are the checks that can be run inside ranks, those of the
	// configuration last.
	Probes []probes.Probe
	// Settings are those of the configuration; SettingsVersion is another one
	// for others.
	Settings        []Setting
	SettingsVersion uint64
	// Pins are the jobs that a person keeps on top.
	Pins Pins
	// Forwards are the ports that are forwarded to this machine.
	Forwards []Forwarded
	// Tables are what was read last of the tables that the screens show
	// (Tabular); nil where there is no API server to read them from now.
	Tables map[apitable.Listing]*apitable.Table
	// Incidents are those of the session.
	Incidents Incidents
	// Diagnosis is the newest report; it may be of a snapshot some moments
	// older than Snapshot. nil before the first.
	Diagnosis *diagnose.Report
}

// Now is the instant that ages are measured from.
func (f Frame) Now() time.Time { return f.Snapshot.Now }

// Shows reports whether a job is within the frame's limits.
func (f Frame) Shows(job *train.Job) bool {
	return (f.Namespace == "" || job.Ref.Namespace == f.Namespace) &&
		(f.Selector == nil || f.Selector.Matches(labels.Set(job.Labels)))
}

// View is one screen.
type View interface {
	// Name is the command that opens the screen and its name in breadcrumbs:
	// "jobs", "nodes".
	Name() string
	// Title is the line above the body: content, count, filter.
	Title(f Frame) Title
	// Scope is the scope of the screen's keys.
	Scope() keymap.Scope
	// Do carries out an action that the shell does not handle itself. The frame
	// is the one last drawn. handled is false when the screen does not know the
	// action.
	Do(action keymap.Action, f Frame) (effect Effect, handled bool)
	// Render draws the body: exactly f.Height lines of at most f.Width cells.
	Render(f Frame) []string
}

// Title is the line above a screen's body.
type Title struct {
	// Text names the content and its count: "Jobs 38".
	Text string
	// Parts give details, each in a role of its own: "24 running".
	Parts []draw.Span
	// Filter is the current filter as it was typed, "" without one.
	Filter string
	// Flags are what else narrows the rows or waits for an action: "faulty
	// only", "3 marked".
	Flags string
	// Note is at the right: "sorted by needs-you".
	Note string
}

// Filterable is a screen whose rows the "/" prompt narrows.
type Filterable interface {
	// SetFilter is called while the person types. An error (a broken regular
	// expression) is shown beside the prompt; the last good filter stays. ""
	// removes the filter.
	SetFilter(text string) error
	Filter() string
}

// Clickable is a screen that handles the mouse. x and y count from the body's
// upper left corner.
type Clickable interface {
	Click(x, y int, double bool, f Frame) Effect
	Wheel(lines int, f Frame)
}

// Selecting is a screen with rows of objects.
type Selecting interface {
	// Selected are the marked rows, or the one under the cursor.
	Selected(f Frame) []train.Ref
}

// Celled is a screen whose rows have texts by the titles of their columns.
type Celled interface {
	// Cells are those of the rows that are marked, or of the one under the
	// cursor, by their objects.
	Cells(f Frame) map[train.Ref]map[string]string
}

// Crumbed is a screen whose breadcrumb has more than its name.
type Crumbed interface{ Crumb() string }

// Textual is a screen whose content can be copied or saved as text.
type Textual interface {
	// Text is the whole content, without colours, not only the visible part.
	Text(f Frame) string
}

// Streaming is a screen that reads logs.
type Streaming interface {
	// Streams are the logs to follow while the screen is shown. The shell calls
	// it after each Render.
	Streams(f Frame) []streams.Want
}

// Tabular is a screen that shows tables of the API server. They are followed
// while the screen is open, also below another one, and forgotten afterwards.
type Tabular interface {
	// Tables are the tables to follow. The shell calls it after each Render.
	Tables(f Frame) []apitable.Listing
}

// Refreshing is a screen that shows one object as the API server has it. The
// shell reads the object while the screen is shown.
type Refreshing interface {
	// Reads is the object to read; Kind is "" for none.
	Reads(f Frame) Reading
	// HasRead receives what was read.
	HasRead(Read)
}

// Reading is what a screen shows of an object.
type Reading struct {
	Ref train.Ref
	// AsText asks for its YAML, otherwise for its fields; ManagedFields are then
	// part of it.
	AsText, ManagedFields bool
	// Later waits before the first read: the screen has just been given the
	// object.
	Later bool
}

// Read is the answer to a Reading.
type Read struct {
	Fields map[string]any
	Text   string
	Err    error
}

// Working is a screen with work that takes longer than a key press may (a
// search through all lines that are kept).
type Working interface {
	// Work returns work to do now, off the event loop and on values that do not
	// change (those of a snapshot), or nil. The shell calls it after each
	// message, but not while earlier work is running; ctx ends when the screen
	// is left.
	Work(f Frame) func(ctx context.Context) any
	// Worked receives the result.
	Worked(result any, f Frame) Effect
}

// Layered is a screen that can have something in front of its main content: a
// list to pick from, one pane in full size, rows that a pattern narrows.
type Layered interface {
	// StepBack closes the newest of them; false when there is nothing, and
	// going back leaves the screen.
	StepBack() bool
}

// Prompting is a screen that asks for a line of text with Effect.Ask.
type Prompting interface {
	// Typed receives the text while the person types. An error is shown beside
	// the prompt.
	Typed(question Question, text string) error
	// Answered receives the text at the end. When the person cancels, Typed
	// receives the text that the question began with, and Answered is not
	// called.
	Answered(question Question, text string, f Frame) Effect
}

// Question is a screen's question at the prompt.
type Question struct {
	// Sign is shown before the typed text: "&".
	Sign string
	// Text is the initial text.
	Text string
	// Hint describes what can be typed.
	Hint string
}

// Stateful is a screen whose settings are saved for each context.
type Stateful interface {
	State() State
	Restore(State)
}

// Pins are jobs that are kept on top. They never change; Version is another one
// for other jobs.
type Pins struct {
	Jobs    map[train.JobID]bool
	Version int
}

// State is the saved state of a screen.
type State struct {
	// SortColumn is a column's title; Descending its direction.
	SortColumn string `json:"sortColumn,omitempty"`
	Descending bool   `json:"descending,omitempty"`
	// Wide shows the columns that are hidden otherwise.
	Wide bool `json:"wide,omitempty"`
	// ShowAll turns off the filter that a screen has on by default (jobs that
	// are not training).
	ShowAll bool `json:"showAll,omitempty"`
	// Overlays are the jobs that are laid over others in charts, the newest
	// last.
	Overlays []Overlay `json:"overlays,omitempty"`
}

// Overlay is which jobs are laid over the charts of one.
type Overlay struct {
	Job  train.JobID   `json:"job"`
	With []train.JobID `json:"with"`
}

// mostOverlays bounds for how many jobs overlays are saved.
const mostOverlays = 50

// After is the state with what an earlier one has of other jobs.
func (s State) After(earlier State) State {
	var all []Overlay
	for _, o := range append(slices.Clone(earlier.Overlays), s.Overlays...) {
		all = slices.DeleteFunc(all, func(known Overlay) bool { return known.Job == o.Job })
		if len(o.With) > 0 {
			all = append(all, o)
		}
	}
	s.Overlays = all[max(0, len(all)-mostOverlays):]
	return s
}
