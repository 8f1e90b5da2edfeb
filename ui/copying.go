package ui

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// copying is what is copied now, and what was asked for last.
type copying struct {
	running []*transfer
	// remote and local are the paths that were typed last in this session.
	remote, local string
}

// transfer is one copy on its way.
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

// askCopy asks what is to be copied where.
func (m *model) askCopy(on []train.Ref) tea.Cmd {
	target, err := m.target(on)
	if err != nil {
		return m.say(err.Error(), true)
	}
	rank := ""
	if target.Index >= 0 {
		rank = strconv.Itoa(target.Index)
	}
	known := actions.Paths(m.snapshot.Pod(target.Namespace, target.Pod), target.Name, rank)
	d := &openDialog{Dialog: &dialog.Dialog{Title: "Copy files: " + target.Pod, Does: "Copy", FromTop: true}}
	d.Fields = m.copyFields(known)
	chosen := 0
	d.changed = func() tea.Cmd {
		if f := fieldOf(d, knownPathField); f != nil && f.Chosen != chosen {
			chosen = f.Chosen
			fieldOf(d, remoteField).Text = f.Choices[chosen]
		}
		d.Lines = copyLines(d)
		return nil
	}
	d.changed()
	d.pressed = func() tea.Cmd { return m.beginCopy(target.Container, d) }
	return m.openReviewed(d, actions.Access{Verb: actions.Create, Kind: "Pod", Subresource: "exec", Namespace: target.Namespace, Name: target.Pod})
}

// The fields of the question.
const (
	directionField = "copy"
	knownPathField = "known paths"
	remoteField    = "in the rank"
	localField     = "here"
)

// copyFields begin with what was typed last, or what the pod tells.
func (m *model) copyFields(known []string) []dialog.Field {
	directions := []string{fromRank, toRank}
	if m.session.ReadOnly {
		directions = directions[:1] // the other one changes the rank
	}
	fields := []dialog.Field{{Label: directionField, Choices: directions}}
	remote := m.copying.remote
	if len(known) > 0 {
		if remote == "" {
			remote = known[0]
		} else if known[0] != remote {
			known = append([]string{remote}, known...)
		}
		fields = append(fields, dialog.Field{Label: knownPathField, Choices: known})
	}
	local := m.copying.local
	if local == "" {
		local = "."
	}
	return append(fields, dialog.Field{Label: remoteField, Text: remote}, dialog.Field{Label: localField, Text: local})
}

func fieldOf(d *openDialog, label string) *dialog.Field {
	for i := range d.Fields {
		if d.Fields[i].Label == label {
			return &d.Fields[i]
		}
	}
	return nil
}

func copyLines(d *openDialog) []dialog.Line {
	text := "A folder is copied with all that is in it. What exists is not replaced without another question."
	if direction := fieldOf(d, directionField); direction.Choices[direction.Chosen] == toRank {
		text = "It changes what is in the rank's file system. " + text
	}
	return []dialog.Line{{Role: themes.Text, Text: text}}
}

// beginCopy begins what the dialog says.
func (m *model) beginCopy(in actions.Container, d *openDialog) tea.Cmd {
	direction := fieldOf(d, directionField)
	t := actions.Transfer{
		Container: in, Up: direction.Choices[direction.Chosen] == toRank,
		Remote: strings.TrimSpace(fieldOf(d, remoteField).Text), Local: strings.TrimSpace(fieldOf(d, localField).Text),
	}
	m.copying.remote, m.copying.local = t.Remote, t.Local
	t.Local = atHome(t.Local)
	return m.copyFiles(t)
}

// atHome is a path in which ~ is the person's folder, as shells have it.
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

// copyFiles copies. What goes into a rank is a change, and is recorded.
func (m *model) copyFiles(t actions.Transfer) tea.Cmd {
	var record *audit.Record
	if t.Up {
		if m.session.ReadOnly {
			return m.say("nothing is changed here: this session is read-only", true)
		}
		var err error
		if record, err = m.beginRecord("copy files to", podRef(t.Container), "to "+t.Remote+" in container "+t.Name); err != nil {
			return m.say("it cannot be recorded, so it is not done: "+err.Error(), true)
		}
	}
	ctx, cancel := context.WithCancel(m.ctx)
	run := &transfer{cancel: cancel}
	t.Progress = func(done, all int64) { run.done.Store(done); run.all.Store(all) }
	run.Transfer = t
	m.copying.running = append(m.copying.running, run)
	actor := m.actor()
	return m.inBackground(func() tea.Msg {
		defer cancel()
		made, err := actor.Copy(ctx, t)
		return transferEnded{run, made, err, record.End(err)}
	})
}

func podRef(c actions.Container) train.Ref {
	return train.Ref{Kind: "Pod", Namespace: c.Namespace, Name: c.Pod, UID: c.PodUID}
}

// transferEnded is the end of a copy.
type transferEnded struct {
	run        *transfer
	made       actions.Transferred
	err        error
	unrecorded error
}

func (c transferEnded) arrive(m *model) tea.Cmd {
	for i, run := range m.copying.running {
		if run == c.run {
			m.copying.running = append(m.copying.running[:i:i], m.copying.running[i+1:]...)
		}
	}
	var failure *actions.Failure
	switch {
	case errors.As(c.err, &failure) && failure.Kind == actions.Conflict && !c.run.Overwrite && m.dialog == nil:
		return m.askOverwrite(c.run.Transfer, failure.Text)
	case c.err != nil:
		return m.say(c.err.Error(), true)
	case c.unrecorded != nil:
		return m.say(transferText(c.made)+"; "+c.unrecorded.Error(), true)
	}
	return m.say(transferText(c.made), false)
}

// transferText says what was copied, in one line.
func transferText(made actions.Transferred) string {
	how := "sizes compared only with what the stream told"
	if made.Verified != "" {
		how = "the same by " + made.Verified + " on both sides"
	}
	text := fmt.Sprintf("copied %s, %s, to %s; %s", draw.Plural(made.Files, "file"), draw.Bytes(made.Bytes), made.Path, how)
	if len(made.Skipped) > 0 {
		text += fmt.Sprintf("; left out %d: %s", len(made.Skipped), strings.Join(made.Skipped, ", "))
	}
	return text
}

func (m *model) askOverwrite(t actions.Transfer, why string) tea.Cmd {
	d := &openDialog{Dialog: &dialog.Dialog{Title: "Replace what exists?", Does: "Replace", Lines: []dialog.Line{{Role: themes.Waiting, Text: why}}}}
	t.Overwrite = true
	d.pressed = func() tea.Cmd { return m.copyFiles(t) }
	m.open(d)
	return nil
}

// askStopCopy asks whether what is copied is to be given up.
func (m *model) askStopCopy() {
	d := &openDialog{Dialog: &dialog.Dialog{Title: "Stop copying?", Does: "Stop copying"}}
	for _, run := range m.copying.running {
		d.Lines = append(d.Lines, dialog.Line{Role: themes.Text, Text: copyWords(run)})
	}
	d.Lines = append(d.Lines, dialog.Line{Role: themes.Dim, Text: "What is incomplete is removed. q leaves the screen and lets it go on."})
	d.pressed = func() tea.Cmd {
		m.stopCopies()
		return nil
	}
	m.open(d)
}

func (m *model) stopCopies() {
	for _, run := range m.copying.running {
		run.cancel()
	}
}

// endCopies gives up what was begun in a session that is over.
func (m *model) endCopies() {
	m.stopCopies()
	m.copying = copying{}
}

func copyWords(run *transfer) string {
	if run.Up {
		return fmt.Sprintf("%s to %s:%s", run.Local, run.Pod, run.Remote)
	}
	return fmt.Sprintf("%s:%s to %s", run.Pod, run.Remote, run.Local)
}

// copyLine tells how far the copies are, "" while nothing is copied.
func (m *model) copyLine() string {
	if len(m.copying.running) == 0 {
		return ""
	}
	run := m.copying.running[0]
	done, all := run.done.Load(), run.all.Load()
	sign, amount := m.spin(), draw.Bytes(done)
	if all > 0 {
		share := min(1, float64(done)/float64(all))
		sign, amount = m.bar(share), fmt.Sprintf("%s of %s %d%%", draw.Bytes(done), draw.Bytes(all), int(math.Round(100*share)))
	}
	if more := len(m.copying.running) - 1; more > 0 {
		amount += fmt.Sprintf(" and %d more", more)
	}
	right := m.line()
	if sign != "" && m.width >= roomy {
		right.Add(themes.Accent, sign+" ")
	}
	right.Add(themes.Strong, amount).Add(themes.Dim, "   esc stops ")
	line := m.line().Add(themes.Notice, " copying ").Add(themes.Text, draw.Cut(draw.Clean(copyWords(run)), max(8, right.Left()-12), m.theme.Glyphs.Ellipsis))
	return line.Right(right).String()
}
