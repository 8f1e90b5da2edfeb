package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// apply does what a screen asked for.
func (m *model) apply(e views.Effect) tea.Cmd {
	switch e := e.(type) {
	case views.Effects:
		var all []tea.Cmd
		for _, one := range e {
			all = append(all, m.apply(one))
		}
		return tea.Batch(all...)
	case views.OpenScreen:
		return m.openPlace(e.Place)
	case views.Back:
		m.back()
	case views.Notice:
		return m.say(e.Text, e.Failed)
	case views.AskLine:
		m.ask(e.Question)
	case views.UseNamespace:
		return m.setNamespace(e.Name)
	case views.UseContext:
		return m.switchTo(e.Name)
	case views.RunCommand:
		return m.run(e.Text)
	case views.Act:
		cmd, _ := m.act(e.Action, e.On)
		return cmd
	case views.Confirm:
		return m.confirm(e)
	}
	return m.hand(e)
}

// hand gives away what a screen has: to the clipboard, files, the store, the
// cluster.
func (m *model) hand(e views.Effect) tea.Cmd {
	switch e := e.(type) {
	case views.CopyText:
		notice := e.Notice
		then := copied(e.Text, &notice)
		if notice == "" {
			return then
		}
		return tea.Batch(then, m.say(notice, false))
	case views.SaveFiles:
		return m.saveAll(e.Files, e.Note)
	case views.ShowManifest:
		return m.askManifest(e.Ref, e.ManagedFields)
	case views.SetLogLimit:
		m.session.Store.SetLogLimit(e.Stream, e.Bytes)
		if files, ok := m.o.Cluster.(LogReader); ok {
			files.ReadAgain(e.Stream)
		}
	case views.StoreReadings:
		m.session.Store.Apply(e.Readings)
	case views.FileAnswers:
		return m.file(e.Answers)
	case views.OpenBrowser:
		return m.browse(e.Address)
	case views.StopForwards:
		return m.tasks.Forwards.Stop(e.IDs)
	}
	return nil
}

func (m *model) openPlace(p views.Place) tea.Cmd {
	v := m.make(p)
	if v == nil {
		return m.say("there is no screen "+p.Screen, true)
	}
	if p.Job != "" {
		m.lastJob = p.Job
	}
	m.push(v)
	if filterable, is := v.(views.Filterable); is && p.Filter != "" {
		if err := filterable.SetFilter(p.Filter); err != nil {
			return m.say(err.Error(), true)
		}
	}
	return nil
}
