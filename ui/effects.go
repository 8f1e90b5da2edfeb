package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// apply carries out an effect of a screen.
func (n *navigation) apply(e views.Effect) tea.Cmd {
	switch e := e.(type) {
	case views.Effects:
		var all []tea.Cmd
		for _, one := range e {
			all = append(all, n.apply(one))
		}
		return tea.Batch(all...)
	case views.OpenScreen:
		return n.open(e.Route)
	case views.Back:
		n.back()
	case views.Notice:
		return n.m.say(e.Text, e.Failed)
	case views.AskLine:
		n.m.typing.ask(e.Question)
	case views.UseNamespace:
		return n.m.setNamespace(e.Name)
	case views.UseContext:
		return n.m.switchTo(e.Name)
	case views.ShowInTable:
		return n.m.resources.showObject(e.Ref)
	case views.ShowOwned:
		return n.m.resources.showOwned(e)
	case views.RunCommand:
		return n.m.run(e.Text)
	case views.Act:
		cmd, _ := n.m.acting.act(e.Action, e.On)
		return cmd
	case views.Confirm:
		return n.m.acting.confirm(e)
	}
	return n.hand(e)
}

// hand passes on a screen's data: to the clipboard, files, the store, the
// cluster.
func (n *navigation) hand(e views.Effect) tea.Cmd {
	switch e := e.(type) {
	case views.CopyText:
		notice := e.Notice
		then := copied(e.Text, &notice)
		if notice == "" {
			return then
		}
		return tea.Batch(then, n.m.say(notice, false))
	case views.SaveFiles:
		return n.m.saveAll(e.Files, e.Note)
	case views.ShowManifest:
		return n.m.askManifest(e.Ref, e.ManagedFields)
	case views.SetLogLimit:
		n.m.session.Store.SetLogLimit(e.Stream, e.Bytes)
		if files, ok := n.m.o.Cluster.(LogReader); ok {
			files.ReadAgain(e.Stream)
		}
	case views.StoreReadings:
		n.m.session.Store.Apply(e.Readings)
	case views.FileAnswers:
		return n.m.file(e.Answers)
	case views.OpenBrowser:
		return n.m.acting.browse(e.Address)
	case views.ChangeSetting:
		return n.m.own.change(e.Key)
	case views.SavePattern:
		return n.m.own.savePattern(e)
	case views.EditConfig:
		return n.m.tasks.Edits.File(n.m.o.ConfigPath)
	case views.PinJobs:
		return n.pin(e.Jobs)
	case views.MarkIncidents:
		return n.m.incidents.mark(e)
	case views.StopForwards:
		return n.m.tasks.Forwards.Stop(e.IDs)
	}
	return nil
}

// pin pins jobs, or lets them go.
func (n *navigation) pin(jobs []train.JobID) tea.Cmd {
	what := "let go"
	if n.m.kept.toggle(jobs) {
		what = "pinned on top"
	}
	return n.m.say(draw.Plural(len(jobs), "job")+" "+what, false)
}

// open opens a screen; going back leads here.
func (n *navigation) open(r views.Route) tea.Cmd {
	if about, is := r.(views.DiagnosisRoute); is {
		switch {
		case store.IsLonePod(about.Job):
			return n.m.say("the diagnosis looks at jobs, and this pod belongs to none; d on its row describes it", false)
		case store.IsPodSet(about.Job):
			return n.m.say("the diagnosis looks at jobs, and these pods belong to none; d on a row describes it", false)
		}
	}
	n.m.kept.keepLayouts(n.m.stack) // the same screen may be opened again
	v := n.view(r)
	if v == nil {
		return n.m.say("there is no screen "+r.Screen(), true)
	}
	if about, is := r.(views.AboutJob); is && about.JobID() != "" {
		n.m.lastJob = about.JobID()
	}
	n.push(v)
	filtered, narrows := r.(views.Filtered)
	if filterable, is := v.(views.Filterable); is && narrows && filtered.BeginFilter() != "" {
		if err := filterable.SetFilter(filtered.BeginFilter()); err != nil {
			return n.m.say(err.Error(), true)
		}
	}
	return nil
}
