package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/actions/changes"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// changing is a change from the key to the answer: it is planned from the
// snapshot, the rights to it are reviewed while its question is read, and it is
// carried out when a person says so.
type changing struct {
	verb   changes.Verb
	on     []train.Ref
	plan   changes.Plan
	dialog *openDialog
	// verdicts are what the review answered, nil before; noRecord is why the
	// audit log could not be written, after which a person may go on without.
	verdicts map[actions.Access]actions.Verdict
	noRecord string
}

// change asks about a change of objects.
func (m *model) change(verb changes.Verb, on []train.Ref) tea.Cmd {
	if verb == changes.Suspend && m.allSuspended(on) {
		verb = changes.Resume
	}
	c := &changing{verb: verb, on: on}
	c.plan = changes.Make(m.snapshot, verb, on, changes.Choice{})
	c.dialog = &openDialog{Dialog: &dialog.Dialog{Fields: fieldsFor(c.plan.Offers)}}
	c.dialog.pressed = func() tea.Cmd { return m.carryOut(c) }
	c.dialog.changed = func() tea.Cmd { return m.rework(c) }
	m.open(c.dialog)
	return m.rework(c)
}

// allSuspended reports whether every chosen job is suspended already.
func (m *model) allSuspended(on []train.Ref) bool {
	return !slices.ContainsFunc(on, func(ref train.Ref) bool {
		job := m.snapshot.Job(ref.JobID())
		return job == nil || job.Phase != train.Suspended
	})
}

// rework works the change out by what is chosen now, and reviews rights that
// were not asked for yet.
func (m *model) rework(c *changing) tea.Cmd {
	c.plan = changes.Make(m.snapshot, c.verb, c.on, c.choice())
	var wanted []actions.Access
	for _, access := range c.accesses() {
		if _, known := c.verdicts[access]; !known {
			wanted = append(wanted, access)
		}
	}
	c.dialog.Waiting = ""
	c.describe()
	actor := m.actor()
	if len(wanted) == 0 || actor == nil {
		return nil
	}
	c.dialog.Waiting = "asking the API server whether you may …"
	ctx := m.ctx
	return offLoop(func() tea.Msg { return reviewed{c, wanted, actor.Allowed(ctx, wanted)} })
}

// fieldsFor are what the dialog lets a person choose.
func fieldsFor(o changes.Offers) []dialog.Field {
	var fields []dialog.Field
	if o.Number {
		fields = append(fields, dialog.Field{Label: numberField, Digits: true, Text: strconv.Itoa(o.Now), Hint: fmt.Sprintf("%d to %d", o.Least, o.Most)})
	}
	if o.Propagation {
		fields = append(fields, dialog.Field{Label: propagationField, Choices: []string{string(actions.Background), string(actions.Foreground), string(actions.Orphan)}})
	}
	if o.Force {
		fields = append(fields, dialog.Field{Label: forceField, Choices: []string{"no", "yes"}, Hint: "without the grace period"})
	}
	return fields
}

const (
	numberField      = "ranks"
	propagationField = "what it owns"
	forceField       = "force"
)

// choice is what the fields say.
func (c *changing) choice() changes.Choice {
	var choice changes.Choice
	for _, f := range c.dialog.Fields {
		switch f.Label {
		case numberField:
			choice.Number, _ = strconv.Atoi(f.Text) // digits only; "" is 0, which no offer allows
		case propagationField:
			choice.Propagation = actions.Propagation(f.Choices[f.Chosen])
		case forceField:
			choice.Force = f.Chosen == 1
		}
	}
	return choice
}

// accesses are the rights that the change needs, each once.
func (c *changing) accesses() []actions.Access {
	var all []actions.Access
	for _, t := range c.plan.Targets {
		for _, r := range t.Requests {
			if access := r.Access(); !slices.Contains(all, access) {
				all = append(all, access)
			}
		}
	}
	return all
}

// refusal is why a target cannot be changed, "" when it can.
func (c *changing) refusal(t changes.Target) string {
	if t.Refused != "" {
		return t.Refused
	}
	for _, r := range t.Requests {
		if v, known := c.verdicts[r.Access()]; known && !v.Allowed && !v.Unknown {
			return v.Reason
		}
	}
	return ""
}

// describe writes the plan into the dialog.
func (c *changing) describe() {
	d := c.dialog.Dialog
	d.Title, d.Does, d.Lines, d.Refused = c.plan.Title, c.plan.Does, nil, ""
	var refusals []string
	for _, t := range c.plan.Targets {
		if why := c.refusal(t); why != "" {
			refusals = append(refusals, why)
			d.Lines = append(d.Lines, dialog.Line{Role: themes.Bad, Text: name(t.Ref) + ": " + why})
			continue
		}
		for i, text := range t.Consequences {
			role := themes.Text
			if i > 0 {
				role = themes.Dim
			}
			d.Lines = append(d.Lines, dialog.Line{Role: role, Text: text})
		}
	}
	for _, text := range c.plan.Warnings {
		d.Lines = append(d.Lines, dialog.Line{Role: themes.Waiting, Text: text})
	}
	if c.noRecord != "" {
		d.Lines = append(d.Lines, unrecorded(c.noRecord))
	}
	if len(refusals) == len(c.plan.Targets) {
		d.Refused = cmp.Or(strings.Join(slices.Compact(refusals), "; "), "there is nothing to do")
		if len(c.plan.Targets) == 1 {
			d.Lines = slices.DeleteFunc(d.Lines, func(l dialog.Line) bool { return l.Role == themes.Bad })
		}
	}
}

// name is an object as people say it.
func name(ref train.Ref) string {
	if ref.Namespace == "" {
		return ref.Kind + " " + ref.Name
	}
	return ref.Kind + " " + ref.Namespace + "/" + ref.Name
}

// reviewed is what the API server allows.
type reviewed struct {
	change   *changing
	wanted   []actions.Access
	verdicts []actions.Verdict
}

func (r reviewed) arrive(m *model) tea.Cmd {
	if m.dialog != r.change.dialog {
		return nil // given up meanwhile
	}
	if r.change.verdicts == nil {
		r.change.verdicts = map[actions.Access]actions.Verdict{}
	}
	for i, access := range r.wanted {
		if i < len(r.verdicts) {
			r.change.verdicts[access] = r.verdicts[i]
		}
	}
	r.change.dialog.Waiting = ""
	r.change.describe()
	return nil
}

// carryOut does what was asked for, each object once it is recorded that it
// will be changed. Where nothing can be recorded nothing is done, until a
// person says so again.
func (m *model) carryOut(c *changing) tea.Cmd {
	var todo []changes.Target
	for _, t := range c.plan.Targets {
		if c.refusal(t) == "" {
			todo = append(todo, t)
		}
	}
	ctx, actor := m.ctx, m.actor()
	records, err := m.beginRecords(c, todo)
	if err != nil && c.noRecord == "" {
		c.noRecord = err.Error()
		c.describe()
		m.open(c.dialog)
		return nil
	}
	doing := m.say(c.plan.Does+": "+draw.Plural(len(todo), "object")+" …", false)
	return tea.Batch(doing, m.inBackground(func() tea.Msg {
		results := make([]error, len(todo))
		var running sync.WaitGroup
		room := make(chan struct{}, changeParallel)
		for i, t := range todo {
			room <- struct{}{}
			running.Go(func() {
				defer func() { <-room }()
				results[i] = changeOne(ctx, actor, t)
				if records != nil {
					results[i] = errors.Join(results[i], records[i].End(results[i]))
				}
			})
		}
		running.Wait()
		return changed{c, todo, results}
	}))
}

// beginRecords records that objects are about to be changed.
func (m *model) beginRecords(c *changing, todo []changes.Target) ([]*audit.Record, error) {
	if m.o.Audit == nil {
		return nil, nil
	}
	var records []*audit.Record
	for _, t := range todo {
		var requests []string
		for _, r := range t.Requests {
			requests = append(requests, audit.Summary(r))
		}
		record, err := m.o.Audit.Begin(audit.Change{Context: m.session.Context, Verb: string(c.verb), Object: t.Ref, Request: strings.Join(requests, "; ")})
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, nil
}

// changeOne sends the requests of one object, up to the first that fails.
func changeOne(ctx context.Context, actor actions.Changer, t changes.Target) error {
	for _, r := range t.Requests {
		if _, err := actor.Change(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// changeParallel is how many objects are changed at once.
const changeParallel = 8

// changed is what became of a change.
type changed struct {
	change  *changing
	targets []changes.Target
	results []error
}

func (r changed) arrive(m *model) tea.Cmd {
	var failed []error
	var lines []dialog.Line
	for i, t := range r.targets {
		line := dialog.Line{Role: themes.Good, Text: m.theme.Glyphs.Done + " " + name(t.Ref)}
		if err := r.results[i]; err != nil {
			failed = append(failed, err)
			line = dialog.Line{Role: themes.Bad, Text: m.theme.Glyphs.Failed + " " + name(t.Ref) + ": " + err.Error()}
		} else {
			m.outcomes = append(m.outcomes, outcome{verb: r.change.verb, target: t, until: m.snapshot.Now.Add(outcomeTime)})
		}
		lines = append(lines, line)
	}
	switch {
	case len(failed) == 0:
		return tea.Batch(m.say(string(r.change.verb)+": the API server took it; waiting for the cluster to show it", false), m.followOutcomes())
	case len(r.targets) == 1:
		return m.say(string(r.change.verb)+" "+name(r.targets[0].Ref)+": "+failed[0].Error(), true)
	}
	m.open(&openDialog{Dialog: &dialog.Dialog{Title: fmt.Sprintf("%s: %d of %d failed", r.change.verb, len(failed), len(r.targets)), Lines: lines}})
	return m.followOutcomes()
}
