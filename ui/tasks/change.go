package tasks

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
	jsonutil "k8s.io/apimachinery/pkg/util/json"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/actions/changes"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// changing is a change from the key to the answer: it is planned from the
// snapshot, its rights are reviewed while a person reads the question, and it
// is carried out when the person confirms.
type changing struct {
	verb changes.Verb
	on   []train.Ref
	// read are the objects, where the plan needs them (changes.ReadsObjects).
	read   map[train.Ref]map[string]any
	plan   changes.Plan
	dialog *Dialog
	// verdicts are the results of the review, nil before; noRecord is why the
	// audit log could not be written, after which a person may continue
	// without.
	verdicts map[actions.Access]actions.Verdict
	noRecord string
}

// Changes changes objects: delete, restart, suspend, scale, cordon.
type Changes struct {
	host     *Host
	outcomes *Outcomes
}

// Start asks about a change of objects.
func (s *Changes) Start(verb changes.Verb, on []train.Ref) tea.Cmd {
	if verb == changes.Suspend && s.allSuspended(on) {
		verb = changes.Resume
	}
	c := &changing{verb: verb, on: on}
	if changes.ReadsObjects(verb) {
		actor, err := s.host.changer()
		if err != nil {
			return s.host.Notify(err.Error(), true)
		}
		return s.readFor(c, actor)
	}
	return s.begin(c)
}

// readFor reads the objects that the plan needs before it asks.
func (s *Changes) readFor(c *changing, actor actions.Editor) tea.Cmd {
	ctx, on := s.host.Ctx, c.on
	return s.host.OffLoop(func() tea.Msg {
		read := map[train.Ref]map[string]any{}
		for _, ref := range on {
			draft, err := actor.Fetch(ctx, ref)
			if err != nil {
				return s.host.Notice(err.Error(), true)
			}
			var object map[string]any
			if err := jsonutil.Unmarshal(draft.Object, &object); err != nil { // integers stay integers
				return s.host.Notice("read "+ref.Title()+": "+err.Error(), true)
			}
			read[ref] = object
		}
		return readToChange{s, c, read}
	})
}

// readToChange are the objects that a plan needs.
type readToChange struct {
	changes *Changes
	change  *changing
	read    map[train.Ref]map[string]any
}

// Arrive asks about the change.
func (r readToChange) Arrive() tea.Cmd {
	r.change.read = r.read
	return r.changes.begin(r.change)
}

// begin opens the question.
func (s *Changes) begin(c *changing) tea.Cmd {
	if _, err := s.host.changer(); err != nil {
		return s.host.Notify(err.Error(), true)
	}
	c.plan = changes.MakeOf(s.host.Session().Snapshot, c.verb, c.on, changes.Choice{}, c.read)
	c.dialog = &Dialog{Dialog: &dialog.Dialog{Fields: fieldsFor(c.plan.Offers)}}
	c.dialog.Pressed = func() tea.Cmd { return s.carryOut(c) }
	c.dialog.Changed = func() tea.Cmd { return s.rework(c) }
	s.host.Open(c.dialog)
	return s.rework(c)
}

// allSuspended reports whether every chosen job is suspended already.
func (s *Changes) allSuspended(on []train.Ref) bool {
	return !slices.ContainsFunc(on, func(ref train.Ref) bool {
		job := s.host.Session().Snapshot.Job(ref.JobID())
		return job == nil || job.Phase != train.Suspended
	})
}

// rework plans the change again from the current choices, and reviews rights
// that were not reviewed yet.
func (s *Changes) rework(c *changing) tea.Cmd {
	c.plan = changes.MakeOf(s.host.Session().Snapshot, c.verb, c.on, c.choice(), c.read)
	var wanted []actions.Access
	for _, access := range c.accesses() {
		if _, known := c.verdicts[access]; !known {
			wanted = append(wanted, access)
		}
	}
	c.dialog.Waiting = ""
	c.describe()
	actor := s.host.Session().Actor
	if len(wanted) == 0 || actor == nil {
		return nil
	}
	c.dialog.Waiting = "asking the API server whether you may …"
	ctx := s.host.Ctx
	return s.host.OffLoop(func() tea.Msg { return reviewed{s.host, c, wanted, actor.Allowed(ctx, wanted)} })
}

// fieldsFor are the choices of the dialog.
func fieldsFor(o changes.Offers) []dialog.Field {
	var fields []dialog.Field
	if o.Number {
		fields = append(fields, dialog.Field{Label: cmp.Or(o.Unit, numberField), Digits: true, Text: strconv.Itoa(o.Now), Hint: fmt.Sprintf("%d to %d", o.Least, o.Most)})
	}
	if o.Propagation {
		fields = append(fields, dialog.Field{Label: propagationField, Choices: []string{string(actions.Background), string(actions.Foreground), string(actions.Orphan)}})
	}
	if o.Force {
		fields = append(fields, dialog.Field{Label: forceField, Choices: []string{"no", "yes"}, Hint: "without the grace period"})
	}
	if o.Unmanaged {
		fields = append(fields, dialog.Field{Label: unmanagedField, Choices: []string{"stay", "go"}})
	}
	return fields
}

const (
	numberField      = "ranks"
	propagationField = "what it owns"
	forceField       = "force"
	replicasField    = "replicas"
	unmanagedField   = "pods that no controller makes again"
)

// choice is the values of the fields.
func (c *changing) choice() changes.Choice {
	var choice changes.Choice
	for _, f := range c.dialog.Fields {
		switch f.Label {
		case numberField, replicasField:
			n, err := strconv.Atoi(f.Text) // digits only
			if err != nil {
				n = -1 // nothing is typed, which no offer allows
			}
			choice.Number = n
		case propagationField:
			choice.Propagation = actions.Propagation(f.Choices[f.Chosen])
		case forceField:
			choice.Force = f.Chosen == 1
		case unmanagedField:
			choice.Unmanaged = f.Chosen == 1
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
			d.Lines = append(d.Lines, dialog.Line{Role: themes.Bad, Text: t.Ref.Title() + ": " + why})
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

// reviewed is the result of the rights review.
type reviewed struct {
	host     *Host
	change   *changing
	wanted   []actions.Access
	verdicts []actions.Verdict
}

// Arrive shows refusals in the question.
func (r reviewed) Arrive() tea.Cmd {
	if r.host.Shown() != r.change.dialog {
		return nil // canceled meanwhile
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

// carryOut carries out the change, each object after it is recorded that it
// will be changed. Where nothing can be recorded nothing is changed, until a
// person confirms again.
func (s *Changes) carryOut(c *changing) tea.Cmd {
	actor, err := s.host.changer()
	if err != nil {
		return s.host.Notify(err.Error(), true)
	}
	var todo []changes.Target
	for _, t := range c.plan.Targets {
		if c.refusal(t) == "" {
			todo = append(todo, t)
		}
	}
	ctx := s.host.Ctx
	records, err := s.beginRecords(c, todo)
	if err != nil && c.noRecord == "" {
		c.noRecord = err.Error()
		c.describe()
		s.host.Open(c.dialog)
		return nil
	}
	doing := s.host.Notify(c.plan.Does+": "+draw.Plural(len(todo), "object")+" …", false)
	return tea.Batch(doing, s.host.InBackground(func() tea.Msg {
		return changed{s, c, todo, changeAll(ctx, actor, todo, records)}
	}))
}

// changeAll changes several objects at once: those that go first, then the others,
// unless one of the first failed. records has one record for each, or none.
func changeAll(ctx context.Context, actor actions.Changer, todo []changes.Target, records []*audit.Record) []error {
	results := make([]error, len(todo))
	var before error
	for _, first := range []bool{true, false} {
		var running sync.WaitGroup
		room := make(chan struct{}, changeParallel)
		for i, t := range todo {
			if t.First != first {
				continue
			}
			room <- struct{}{}
			running.Go(func() {
				defer func() { <-room }()
				if before != nil {
					results[i] = fmt.Errorf("not done, since what goes first failed: %w", before)
				} else {
					results[i] = changeOne(ctx, actor, t)
				}
				if records != nil {
					results[i] = errors.Join(results[i], records[i].End(results[i]))
				}
			})
		}
		running.Wait()
		before = errors.Join(results...)
	}
	return results
}

// beginRecords records that objects are about to be changed.
func (s *Changes) beginRecords(c *changing, todo []changes.Target) ([]*audit.Record, error) {
	if s.host.Audit == nil {
		return nil, nil
	}
	var records []*audit.Record
	for _, t := range todo {
		var requests []string
		for _, r := range t.Requests {
			requests = append(requests, audit.Summary(r))
		}
		record, err := s.host.beginRecord(string(c.verb), t.Ref, strings.Join(requests, "; "))
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

// changed is the result of a change.
type changed struct {
	changes *Changes
	change  *changing
	targets []changes.Target
	results []error
}

// Arrive reports the API server's answers, and waits for the cluster to show
// the change.
func (r changed) Arrive() tea.Cmd {
	host, glyphs := r.changes.host, r.changes.host.Session().Glyphs
	var failed []error
	var lines []dialog.Line
	for i, t := range r.targets {
		line := dialog.Line{Role: themes.Good, Text: glyphs.Done + " " + t.Ref.Title()}
		if err := r.results[i]; err != nil {
			failed = append(failed, err)
			line = dialog.Line{Role: themes.Bad, Text: glyphs.Failed + " " + t.Ref.Title() + ": " + err.Error()}
		} else {
			r.changes.outcomes.add(r.change.verb, t)
		}
		lines = append(lines, line)
	}
	switch {
	case len(failed) == 0 && !slices.ContainsFunc(r.targets, func(t changes.Target) bool { return t.Done != nil }):
		return host.Notify(r.change.verb.Word()+": the API server took it", false)
	case len(failed) == 0:
		return tea.Batch(host.Notify(r.change.verb.Word()+": the API server took it; waiting for the cluster to show it", false), r.changes.outcomes.Follow())
	case len(r.targets) == 1:
		return host.Notify(r.change.verb.Word()+" "+r.targets[0].Ref.Title()+": "+failed[0].Error(), true)
	}
	host.Open(&Dialog{Dialog: &dialog.Dialog{Title: fmt.Sprintf("%s: %d of %d failed", r.change.verb.Word(), len(failed), len(r.targets)), Lines: lines}})
	return r.changes.outcomes.Follow()
}
