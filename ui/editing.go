package ui

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/actions/changes"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// editing is the edit of one object: it is fetched, a person edits the text,
// the server says what that would make of it, the person sees the difference
// and says so, and it is applied. The text lies in a file all the time; the
// file goes when nothing of it is needed any more.
type editing struct {
	ref   train.Ref
	draft actions.Draft
	path  string
	given []byte // what the editor was opened with
	// complained is true while given says why the text before was not taken.
	complained bool
	proposal   actions.Proposal
	noRecord   string
}

// editObject begins the edit of an object.
func (m *model) editObject(on []train.Ref) tea.Cmd {
	if len(on) > 1 {
		return m.say(fmt.Sprintf("%d objects are chosen; one is edited at a time", len(on)), true)
	}
	e := &editing{ref: on[0]}
	return tea.Batch(m.say("reading "+name(e.ref)+" …", false), m.fetchDraft(e, ""))
}

// fetchDraft reads the object as it is now. why is said above the text.
func (m *model) fetchDraft(e *editing, why string) tea.Cmd {
	ctx, actor := m.ctx, m.actor()
	return offLoop(func() tea.Msg {
		right := actions.Access{Verb: actions.Patch, Group: e.ref.Group, Kind: e.ref.Kind, Namespace: e.ref.Namespace, Name: e.ref.Name}
		if reason := refusedBy(actor.Allowed(ctx, []actions.Access{right})); reason != "" {
			return said{reason, true} // before an hour of editing
		}
		draft, err := actor.Fetch(ctx, e.ref)
		if err != nil {
			return said{err.Error(), true}
		}
		return fetched{e, draft, why}
	})
}

// fetched is an object ready to be edited.
type fetched struct {
	edit  *editing
	draft actions.Draft
	why   string
}

func (f fetched) arrive(m *model) tea.Cmd {
	e := f.edit
	e.draft, e.complained = f.draft, false
	text := f.draft.Text
	if f.why != "" {
		text = withTrouble(text, f.why)
	}
	file, err := os.CreateTemp("", "traintop-edit-*.yaml")
	if err != nil {
		return m.say("write down what is to be edited: "+err.Error(), true)
	}
	e.path = file.Name()
	if err := file.Close(); err != nil {
		return m.say("write down what is to be edited: "+err.Error(), true)
	}
	return m.openEditor(e, text)
}

// openEditor gives the terminal to the person's editor.
func (m *model) openEditor(e *editing, text []byte) tea.Cmd {
	if err := os.WriteFile(e.path, text, 0o600); err != nil {
		return m.say("write down what is to be edited: "+err.Error(), true)
	}
	e.given = text
	command := &editorCommand{ctx: m.ctx, command: editorFor(m.environment, e.path)}
	return m.exec(command, func(err error) tea.Msg { return edited{e, err} })
}

// edited is the end of the editor.
type edited struct {
	edit *editing
	err  error
}

func (r edited) arrive(m *model) tea.Cmd {
	e := r.edit
	if r.err != nil {
		return m.say(r.err.Error()+"; nothing was changed"+e.kept()+"; $KUBE_EDITOR or $EDITOR names another editor", true)
	}
	text, err := readEdited(e.path)
	switch {
	case err != nil:
		return m.say(err.Error(), true)
	case bytes.Equal(text, e.given) && e.complained:
		return m.say("given up: nothing was changed"+e.kept(), true)
	case bytes.Equal(text, e.given):
		e.drop()
		return m.say("nothing was edited, so nothing was changed", false)
	}
	ctx, actor := m.ctx, m.actor()
	checking := offLoop(func() tea.Msg {
		proposal, err := actor.DryRun(ctx, e.draft, withoutTrouble(text))
		return checked{e, text, proposal, err}
	})
	return tea.Batch(m.say("asking the API server what this would change …", false), checking)
}

// drop removes the file; what was edited is no longer needed.
func (e *editing) drop() { _ = os.Remove(e.path) } // a file left behind in the folder for such does no harm

// kept says where the person's text is; "" where there is none.
func (e *editing) kept() string {
	text, err := readEdited(e.path)
	if err != nil || bytes.Equal(withoutTrouble(text), e.draft.Text) {
		e.drop()
		return ""
	}
	return "; your text is kept in " + e.path
}

// checked is what the server would make of the text.
type checked struct {
	edit     *editing
	text     []byte
	proposal actions.Proposal
	err      error
}

func (c checked) arrive(m *model) tea.Cmd {
	e := c.edit
	var failure *actions.Failure
	switch {
	case errors.As(c.err, &failure) && failure.Kind == actions.Invalid:
		e.complained = true
		return m.openEditor(e, withTrouble(c.text, draw.Clean(failure.Text)+"\nSave it as it is to give up."))
	case c.err != nil:
		return m.editFailed(e, c.err)
	case c.proposal.Unchanged:
		e.drop()
		return m.say("nothing was edited, so nothing was changed", false)
	}
	e.proposal = c.proposal
	m.showEdit(e)
	return nil
}

// showEdit asks whether the difference is to be applied.
func (m *model) showEdit(e *editing) {
	d := &openDialog{Dialog: &dialog.Dialog{Title: "Change " + name(e.ref) + "?", Does: "Apply"}}
	d.Lines = append(d.Lines, dialog.Line{Role: themes.Text, Text: "sets " + strings.Join(e.proposal.Changed, ", ")})
	d.Lines = append(d.Lines, diffLines(e.proposal.Diff)...)
	if e.noRecord != "" {
		d.Lines = append([]dialog.Line{unrecorded(e.noRecord)}, d.Lines...)
	}
	d.pressed = func() tea.Cmd { return m.applyEdit(e) }
	d.cancelled = func() tea.Cmd { return m.say("nothing was changed"+e.kept(), false) }
	m.open(d)
}

// unrecorded says that a change would leave no trace.
func unrecorded(why string) dialog.Line {
	return dialog.Line{Role: themes.Bad, Text: "It cannot be recorded: " + why + ". Doing it all the same leaves no trace."}
}

// diffLines colours a unified difference; what is added or removed has its
// sign as well.
func diffLines(diff string) []dialog.Line {
	var lines []dialog.Line
	for _, text := range strings.Split(strings.TrimRight(diff, "\n"), "\n") {
		line := dialog.Line{Role: themes.Dim, Text: text}
		switch {
		case strings.HasPrefix(text, "---") || strings.HasPrefix(text, "+++"):
			continue // they name no files
		case strings.HasPrefix(text, "+"):
			line.Role = themes.Good
		case strings.HasPrefix(text, "-"):
			line.Role = themes.Bad
		case strings.HasPrefix(text, "@@"):
			line.Role = themes.Accent
		}
		lines = append(lines, line)
	}
	return lines
}

// applyEdit makes it so, once it is recorded.
func (m *model) applyEdit(e *editing) tea.Cmd {
	record, err := m.beginRecord("edit", e.ref, audit.Summary(e.proposal.Request))
	if err != nil && e.noRecord == "" {
		e.noRecord = err.Error()
		m.showEdit(e)
		return nil
	}
	ctx, actor := m.ctx, m.actor()
	doing := m.say("changing "+name(e.ref)+" …", false)
	return tea.Batch(doing, m.inBackground(func() tea.Msg {
		err := actor.Apply(ctx, e.proposal)
		return applied{e, err, record.End(err)}
	}))
}

// applied is what became of it.
type applied struct {
	edit       *editing
	err        error
	unrecorded error
}

func (a applied) arrive(m *model) tea.Cmd {
	e := a.edit
	if a.err != nil {
		return m.editFailed(e, errors.Join(a.err, a.unrecorded))
	}
	e.drop()
	if a.unrecorded != nil {
		return m.say("changed "+name(e.ref)+", but "+a.unrecorded.Error(), true)
	}
	m.outcomes = append(m.outcomes, outcome{
		verb: "edit", target: changes.Target{Ref: e.ref, Done: changes.Edited(e.ref, e.proposal.Request.Body, e.proposal.Live)}, until: m.snapshot.Now.Add(outcomeTime),
	})
	return tea.Batch(m.say("edit: the API server took it; waiting for the cluster to show it", false), m.followOutcomes())
}

// editFailed says why it was not done and where the text is. Where somebody
// else changed the object it can be edited again.
func (m *model) editFailed(e *editing, err error) tea.Cmd {
	kept := e.kept()
	var failure *actions.Failure
	if !errors.As(err, &failure) || failure.Kind != actions.Conflict {
		return m.say(err.Error()+kept, true)
	}
	d := &openDialog{Dialog: &dialog.Dialog{Title: "Edit " + name(e.ref) + " again?", Does: "Edit again"}}
	d.Lines = []dialog.Line{{Role: themes.Bad, Text: err.Error()}, {Role: themes.Text, Text: "It is read again as it is now" + kept + "."}}
	d.pressed = func() tea.Cmd {
		again := &editing{ref: e.ref}
		return m.fetchDraft(again, draw.Clean(err.Error())+strings.TrimPrefix(kept, ";"))
	}
	d.cancelled = func() tea.Cmd { return m.say("nothing was changed"+kept, false) }
	m.open(d)
	return nil
}

// beginRecord records that something is about to be done to an object; nil
// where no record is kept.
func (m *model) beginRecord(verb string, on train.Ref, request string) (*audit.Record, error) {
	if m.o.Audit == nil {
		return nil, nil
	}
	return m.o.Audit.Begin(audit.Change{Context: m.session.Context, Verb: verb, Object: on, Request: request})
}
