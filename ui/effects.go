package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// apply does what a screen asked for.
func (m *model) apply(e views.Effect) tea.Cmd {
	var then []tea.Cmd
	if e.Back {
		m.back()
	}
	if e.Namespace != nil {
		then = append(then, m.setNamespace(*e.Namespace))
	}
	if e.Context != "" {
		then = append(then, m.switchTo(e.Context))
	}
	if e.Open.Screen != "" {
		then = append(then, m.openPlace(e.Open))
	}
	if e.Command != "" {
		then = append(then, m.run(e.Command))
	}
	if e.Manifest != nil {
		then = append(then, m.askManifest(*e.Manifest, e.ManagedFields))
	}
	if e.Copy != "" {
		then = append(then, copied(e.Copy, &e.Notice))
	}
	if e.Save != nil {
		then = append(then, m.save(*e.Save))
	}
	if len(e.SaveAll) > 0 {
		then = append(then, m.saveAll(e.SaveAll, e.SaveNote))
	}
	if e.LogLimit != nil {
		m.session.Store.SetLogLimit(e.LogLimit.Stream, e.LogLimit.Bytes)
		if files, ok := m.o.Cluster.(LogReader); ok {
			files.ReadAgain(e.LogLimit.Stream)
		}
	}
	if e.Measured != nil {
		m.session.Store.Apply(*e.Measured)
	}
	if len(e.Filed) > 0 {
		then = append(then, m.file(e.Filed))
	}
	if e.Browse != "" {
		then = append(then, m.browse(e.Browse))
	}
	if len(e.StopForwards) > 0 {
		then = append(then, m.tasks.Forwards.Stop(e.StopForwards))
	}
	if e.Confirm != nil {
		then = append(then, m.confirm(*e.Confirm))
	}
	if e.Act != "" {
		cmd, _ := m.act(e.Act, e.On)
		then = append(then, cmd)
	}
	if e.Ask != nil {
		m.ask(*e.Ask)
	}
	if e.Notice != "" {
		then = append(then, m.say(e.Notice, e.Failed))
	}
	return tea.Batch(then...)
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
