package tasks

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
// the server answers a dry run, the person sees the difference and confirms,
// and it is applied. The text is in a file all the time; the file is removed
// when it is no longer needed, and when the program ends, unless a person saved
// another text in it.
type editing struct {
	host     *Host
	outcomes *Outcomes
	ref      train.Ref
	draft    actions.Draft
	path     string
	given    []byte // the text that the editor was opened with
	// complained is true while given explains why the text before was refused.
	complained bool
	proposal   actions.Proposal
	noRecord   string
}

// Edits edits objects in the person's editor.
type Edits struct {
	host     *Host
	outcomes *Outcomes
}

// Start reads an object and opens the editor on it.
func (s *Edits) Start(on []train.Ref) tea.Cmd {
	if len(on) > 1 {
		return s.host.Notify(fmt.Sprintf("%d objects are chosen; one is edited at a time", len(on)), true)
	}
	e := &editing{host: s.host, outcomes: s.outcomes, ref: on[0]}
	return tea.Batch(s.host.Notify("reading "+e.ref.Title()+" …", false), e.fetch(""))
}

// fetch reads the object's current text. why is written above the text.
func (e *editing) fetch(why string) tea.Cmd {
	ctx := e.host.Ctx
	actor, err := e.host.changer()
	if err != nil {
		return e.host.Notify(err.Error(), true)
	}
	return e.host.OffLoop(func() tea.Msg {
		right := actions.Access{Verb: actions.Patch, Group: e.ref.Group, Kind: e.ref.Kind, Namespace: e.ref.Namespace, Name: e.ref.Name}
		if reason := refusedBy(actor.Allowed(ctx, []actions.Access{right})); reason != "" {
			return e.host.Notice(reason, true) // before an hour of editing
		}
		draft, err := actor.Fetch(ctx, e.ref)
		if err != nil {
			return e.host.Notice(err.Error(), true)
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

// Arrive opens the editor.
func (f fetched) Arrive() tea.Cmd {
	e := f.edit
	e.draft, e.complained = f.draft, false
	text := f.draft.Text
	if f.why != "" {
		text = withTrouble(text, f.why)
	}
	file, err := os.CreateTemp("", "traintop-edit-*.yaml")
	if err != nil {
		return e.host.Notify("write down what is to be edited: "+err.Error(), true)
	}
	e.path = file.Name()
	e.host.Background.AtEnd(e.path, func() { unneeded(e.path, f.draft.Text) })
	if err := file.Close(); err != nil {
		return e.host.Notify("write down what is to be edited: "+err.Error(), true)
	}
	return e.openEditor(text)
}

// openEditor gives the terminal to the person's editor.
func (e *editing) openEditor(text []byte) tea.Cmd {
	if err := os.WriteFile(e.path, text, 0o600); err != nil {
		return e.host.Notify("write down what is to be edited: "+err.Error(), true)
	}
	e.given = text
	command := &Editor{ctx: e.host.Ctx, command: editorFor(e.host.Environment, e.path)}
	return e.host.Lend(command, func(err error) tea.Msg { return edited{e, err} })
}

// edited is the end of the editor.
type edited struct {
	edit *editing
	err  error
}

// Arrive has the API server check the edited text.
func (r edited) Arrive() tea.Cmd {
	e := r.edit
	if r.err != nil {
		return e.host.Notify(r.err.Error()+"; nothing was changed"+e.kept()+"; $KUBE_EDITOR or $EDITOR names another editor", true)
	}
	text, err := readEdited(e.path)
	switch {
	case err != nil:
		return e.host.Notify(err.Error(), true)
	case bytes.Equal(text, e.given) && e.complained:
		return e.host.Notify("given up: nothing was changed"+e.kept(), true)
	case bytes.Equal(text, e.given):
		e.drop()
		return e.host.Notify("nothing was edited, so nothing was changed", false)
	}
	ctx := e.host.Ctx
	actor, err := e.host.changer()
	if err != nil {
		return e.host.Notify(err.Error()+e.kept(), true)
	}
	checking := e.host.OffLoop(func() tea.Msg {
		proposal, err := actor.DryRun(ctx, e.draft, withoutTrouble(text))
		return checked{e, text, proposal, err}
	})
	return tea.Batch(e.host.Notify("asking the API server what this would change …", false), checking)
}

// drop removes the file; the edited text is no longer needed.
func (e *editing) drop() {
	_ = os.Remove(e.path) // a file left behind in the folder for such does no harm
	e.host.Background.Forget(e.path)
}

// unneeded removes a file that has no text of a person's own in it, and reports
// whether it did.
func unneeded(path string, draft []byte) bool {
	text, err := readEdited(path)
	if err == nil && !bytes.Equal(withoutTrouble(text), draft) {
		return false
	}
	_ = os.Remove(path) // as in drop
	return true
}

// kept names the file of the person's text; "" where there is none.
func (e *editing) kept() string {
	if unneeded(e.path, e.draft.Text) {
		e.host.Background.Forget(e.path)
		return ""
	}
	return "; your text is kept in " + e.path
}

// checked is the server's answer to the dry run.
type checked struct {
	edit     *editing
	text     []byte
	proposal actions.Proposal
	err      error
}

// Arrive shows what would change, or opens the editor again on a text that the
// API server refuses.
func (c checked) Arrive() tea.Cmd {
	e := c.edit
	var failure *actions.Failure
	switch {
	case errors.As(c.err, &failure) && failure.Kind == actions.Invalid:
		e.complained = true
		return e.openEditor(withTrouble(c.text, draw.Clean(failure.Text)+"\nSave it as it is to give up."))
	case c.err != nil:
		return e.failed(c.err)
	case c.proposal.Unchanged:
		e.drop()
		return e.host.Notify("nothing was edited, so nothing was changed", false)
	}
	e.proposal = c.proposal
	e.confirm()
	return nil
}

// confirm asks whether to apply the difference.
func (e *editing) confirm() {
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Change " + e.ref.Title() + "?", Does: "Apply"}}
	d.Lines = append(d.Lines, dialog.Line{Role: themes.Text, Text: "sets " + strings.Join(e.proposal.Changed, ", ")})
	d.Lines = append(d.Lines, diffLines(e.proposal.Diff)...)
	if e.noRecord != "" {
		d.Lines = append([]dialog.Line{unrecorded(e.noRecord)}, d.Lines...)
	}
	d.Pressed = func() tea.Cmd { return e.apply() }
	d.Cancelled = func() tea.Cmd { return e.host.Notify("nothing was changed"+e.kept(), false) }
	e.host.Open(d)
}

// unrecorded warns that a change would not be recorded.
func unrecorded(why string) dialog.Line {
	return dialog.Line{Role: themes.Bad, Text: "It cannot be recorded: " + why + ". Doing it all the same leaves no trace."}
}

// diffLines colours a unified difference; added and removed lines keep their
// signs.
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

// apply applies the change, once it is recorded.
func (e *editing) apply() tea.Cmd {
	actor, err := e.host.changer()
	if err != nil {
		return e.host.Notify(err.Error()+e.kept(), true)
	}
	record, err := e.host.beginRecord("edit", e.ref, audit.Summary(e.proposal.Request))
	if err != nil && e.noRecord == "" {
		e.noRecord = err.Error()
		e.confirm()
		return nil
	}
	ctx := e.host.Ctx
	doing := e.host.Notify("changing "+e.ref.Title()+" …", false)
	return tea.Batch(doing, e.host.InBackground(func() tea.Msg {
		err := actor.Apply(ctx, e.proposal)
		return applied{e, err, record.End(err)}
	}))
}

// applied is the result of the change.
type applied struct {
	edit       *editing
	err        error
	unrecorded error
}

// Arrive waits for the cluster to show the change, or reports why there is
// none.
func (a applied) Arrive() tea.Cmd {
	e := a.edit
	if a.err != nil {
		return e.failed(errors.Join(a.err, a.unrecorded))
	}
	e.drop()
	if a.unrecorded != nil {
		return e.host.Notify("changed "+e.ref.Title()+", but "+a.unrecorded.Error(), true)
	}
	e.outcomes.add("edit", changes.Target{Ref: e.ref, Done: changes.Edited(e.ref, e.proposal.Request.Body, e.proposal.Live)})
	return tea.Batch(e.host.Notify("edit: the API server took it; waiting for the cluster to show it", false), e.outcomes.Follow())
}

// failed reports why it was not applied and where the text is. Where somebody
// else changed the object it can be edited again.
func (e *editing) failed(err error) tea.Cmd {
	kept := e.kept()
	var failure *actions.Failure
	if !errors.As(err, &failure) || failure.Kind != actions.Conflict {
		return e.host.Notify(err.Error()+kept, true)
	}
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Edit " + e.ref.Title() + " again?", Does: "Edit again"}}
	d.Lines = []dialog.Line{{Role: themes.Bad, Text: err.Error()}, {Role: themes.Text, Text: "It is read again as it is now" + kept + "."}}
	d.Pressed = func() tea.Cmd {
		again := &editing{host: e.host, outcomes: e.outcomes, ref: e.ref}
		return again.fetch(draw.Clean(err.Error()) + strings.TrimPrefix(kept, ";"))
	}
	d.Cancelled = func() tea.Cmd { return e.host.Notify("nothing was changed"+kept, false) }
	e.host.Open(d)
	return nil
}
