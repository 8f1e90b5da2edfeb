package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// Copies copies files between ranks and this machine.
type Copies struct {
	host    *Host
	running []*transfer
	// remote and local are the paths that were typed last in this session.
	remote, local string
}

// transfer is one running copy.
type transfer struct {
	actions.Transfer
	cancel    context.CancelFunc
	done, all atomic.Int64
}

// The directions, as the dialog has them.
const (
	fromRank = "from the rank to this machine"
	toRank   = "from this machine to the rank"
)

// Start asks what to copy where, into or out of one container.
func (c *Copies) Start(target actions.Target) tea.Cmd {
	rank := ""
	if target.Index >= 0 {
		rank = strconv.Itoa(target.Index)
	}
	known := actions.Paths(c.host.Session().Snapshot.Pod(target.Namespace, target.Pod), target.Name, rank)
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Copy files: " + target.Pod, Does: "Copy", FromTop: true}}
	d.Fields = c.fields(known)
	chosen := 0
	d.Changed = func() tea.Cmd {
		if f := fieldOf(d, knownPathField); f != nil && f.Chosen != chosen {
			chosen = f.Chosen
			fieldOf(d, remoteField).Text = f.Choices[chosen]
		}
		d.Lines = copyLines(d)
		return nil
	}
	d.Changed()
	d.Pressed = func() tea.Cmd { return c.copyChosen(target.Container, d) }
	return c.host.openReviewed(d, actions.Access{Verb: actions.Create, Kind: "Pod", Subresource: "exec", Namespace: target.Namespace, Name: target.Pod})
}

// The fields of the question.
const (
	directionField = "copy"
	knownPathField = "known paths"
	remoteField    = "in the rank"
	localField     = "here"
)

// fields begin with the paths typed last, or those of the pod.
func (c *Copies) fields(known []string) []dialog.Field {
	directions := []string{fromRank, toRank}
	if c.host.Session().ReadOnly {
		directions = directions[:1] // the other one changes the rank
	}
	fields := []dialog.Field{{Label: directionField, Choices: directions}}
	remote := c.remote
	if len(known) > 0 {
		if remote == "" {
			remote = known[0]
		} else if known[0] != remote {
			known = append([]string{remote}, known...)
		}
		fields = append(fields, dialog.Field{Label: knownPathField, Choices: known})
	}
	local := c.local
	if local == "" {
		local = "."
	}
	return append(fields, dialog.Field{Label: remoteField, Text: remote}, dialog.Field{Label: localField, Text: local})
}

func fieldOf(d *Dialog, label string) *dialog.Field {
	for i := range d.Fields {
		if d.Fields[i].Label == label {
			return &d.Fields[i]
		}
	}
	return nil
}

func copyLines(d *Dialog) []dialog.Line {
	text := "A folder is copied with all that is in it. What exists is not replaced without another question."
	if direction := fieldOf(d, directionField); direction.Choices[direction.Chosen] == toRank {
		text = "It changes what is in the rank's file system. " + text
	}
	return []dialog.Line{{Role: themes.Text, Text: text}}
}

// copyChosen copies as the dialog's fields ask.
func (c *Copies) copyChosen(in actions.Container, d *Dialog) tea.Cmd {
	direction := fieldOf(d, directionField)
	t := actions.Transfer{
		Container: in, Up: direction.Choices[direction.Chosen] == toRank,
		Remote: strings.TrimSpace(fieldOf(d, remoteField).Text), Local: strings.TrimSpace(fieldOf(d, localField).Text),
	}
	c.remote, c.local = t.Remote, t.Local
	t.Local = atHome(t.Local)
	return c.Begin(t)
}

// atHome expands ~ in a path to the person's folder, as shells do.
func atHome(path string) string {
	rest, is := strings.CutPrefix(path, "~")
	if !is || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}

// Begin copies. A copy into a rank is a change, and is recorded.
func (c *Copies) Begin(t actions.Transfer) tea.Cmd {
	may := c.host.actor
	if t.Up {
		may = c.host.changer
	}
	actor, err := may()
	if err != nil {
		return c.host.Notify(err.Error(), true)
	}
	var record *audit.Record
	if t.Up {
		if record, err = c.host.beginRecord("copy files to", t.PodRef(), "to "+t.Remote+" in container "+t.Name); err != nil {
			return c.host.Notify("it cannot be recorded, so it is not done: "+err.Error(), true)
		}
	}
	ctx, cancel := context.WithCancel(c.host.Ctx)
	run := &transfer{cancel: cancel}
	t.Progress = func(done, all int64) { run.done.Store(done); run.all.Store(all) }
	run.Transfer = t
	c.running = append(c.running, run)
	return c.host.InBackground(func() tea.Msg {
		defer cancel()
		made, err := actor.Copy(ctx, t)
		return transferEnded{c, run, made, err, record.End(err)}
	})
}

// transferEnded is the end of a copy.
type transferEnded struct {
	copies     *Copies
	run        *transfer
	made       actions.Transferred
	err        error
	unrecorded error
}

// Arrive reports what was copied, or asks whether to replace existing files.
func (e transferEnded) Arrive() tea.Cmd {
	c := e.copies
	c.running = slices.DeleteFunc(slices.Clone(c.running), func(run *transfer) bool { return run == e.run })
	var failure *actions.Failure
	switch {
	case errors.As(e.err, &failure) && failure.Kind == actions.Exists && !e.run.Overwrite && c.host.Shown() == nil:
		return c.askOverwrite(e.run.Transfer, failure.Text)
	case e.err != nil:
		return c.host.Notify(e.err.Error(), true)
	case e.unrecorded != nil:
		return c.host.Notify(transferText(e.made)+"; "+e.unrecorded.Error(), true)
	}
	return c.host.Notify(transferText(e.made), false)
}

// transferText reports what was copied, in one line.
func transferText(made actions.Transferred) string {
	how := "sizes compared only with what the stream told"
	if made.Verified != "" {
		how = "the same by " + made.Verified + " on both sides"
	}
	text := fmt.Sprintf("copied %s, %s, to %s; %s", draw.Plural(made.Files, "file"), termtext.Bytes(made.Bytes), made.Path, how)
	if len(made.Skipped) > 0 {
		text += fmt.Sprintf("; left out %d: %s", len(made.Skipped), strings.Join(made.Skipped, ", "))
	}
	return text
}

func (c *Copies) askOverwrite(t actions.Transfer, why string) tea.Cmd {
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Replace what exists?", Does: "Replace", Lines: []dialog.Line{{Role: themes.Waiting, Text: why}}}}
	t.Overwrite = true
	d.Pressed = func() tea.Cmd { return c.Begin(t) }
	c.host.Open(d)
	return nil
}

// AskStop asks whether to cancel the running copies.
func (c *Copies) AskStop() {
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Stop copying?", Does: "Stop copying"}}
	for _, run := range c.running {
		d.Lines = append(d.Lines, dialog.Line{Role: themes.Text, Text: run.String()})
	}
	d.Lines = append(d.Lines, dialog.Line{Role: themes.Dim, Text: "What is incomplete is removed. q leaves the screen and lets it go on."})
	d.Pressed = func() tea.Cmd {
		c.stop()
		return nil
	}
	c.host.Open(d)
}

func (c *Copies) stop() {
	for _, run := range c.running {
		run.cancel()
	}
}

// End cancels all copies, and forgets the paths that were typed.
func (c *Copies) End() {
	c.stop()
	c.running, c.remote, c.local = nil, "", ""
}

// Progress is that of the oldest copy, and how many more are running; known is
// false while nothing is copied.
func (c *Copies) Progress() (oldest CopyProgress, more int, known bool) {
	if len(c.running) == 0 {
		return CopyProgress{}, 0, false
	}
	run := c.running[0]
	return CopyProgress{Text: run.String(), Done: run.done.Load(), All: run.all.Load()}, len(c.running) - 1, true
}

// CopyProgress is the progress of one copy. All is 0 where the size is unknown.
type CopyProgress struct {
	Text      string
	Done, All int64 // bytes
}

// String names source and destination.
func (run *transfer) String() string {
	if run.Up {
		return fmt.Sprintf("%s to %s:%s", run.Local, run.Pod, run.Remote)
	}
	return fmt.Sprintf("%s:%s to %s", run.Pod, run.Remote, run.Local)
}
