package ui

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// The fields of the question which port is forwarded.
const (
	knownPortField = iota
	remotePortField
	localPortField
)

// otherPort is the choice of a port that nobody knows the name of.
const otherPort = "another one"

// askForward asks which port of the chosen rank is forwarded, and where to.
func (m *model) askForward(on []train.Ref) tea.Cmd {
	target, err := m.target(on)
	if err != nil {
		return m.say(err.Error(), true)
	}
	ports := actions.Ports(m.snapshot.Pod(target.Namespace, target.Pod))
	var names []string
	for _, p := range ports {
		names = append(names, fmt.Sprintf("%s %d", p.Name, p.Number))
	}
	d := &openDialog{Dialog: &dialog.Dialog{Title: "Forward a port of " + target.Pod, Does: "Forward", FromTop: true}}
	d.Fields = []dialog.Field{
		{Label: "port", Choices: append(names, otherPort)},
		{Label: "its number", Digits: true},
		{Label: "port here", Digits: true, Hint: "empty takes the same, or a free one"},
	}
	chosen := -1
	d.changed = func() tea.Cmd {
		if now := d.Fields[knownPortField].Chosen; now != chosen {
			chosen = now
			d.Fields[remotePortField].Text = ""
			if now < len(ports) {
				d.Fields[remotePortField].Text = strconv.Itoa(ports[now].Number)
			}
		}
		d.Lines = forwardLines(ports, d.Fields)
		return nil
	}
	d.changed()
	d.pressed = func() tea.Cmd { return m.forward(target, d, ports) }
	return m.openReviewed(d, actions.Access{Verb: actions.Create, Kind: "Pod", Subresource: "portforward", Namespace: target.Namespace, Name: target.Pod})
}

func forwardLines(ports []actions.Port, fields []dialog.Field) []dialog.Line {
	lines := []dialog.Line{{Role: themes.Text, Text: "It listens on this machine only, and goes on until it is stopped (:pf), the context is changed or traintop ends."}}
	if p, known := portNumbered(ports, fields[remotePortField].Text); known && p.Container == "" {
		lines = append(lines, dialog.Line{Role: themes.Dim, Text: "No container declares this port; it answers if the program listens on it all the same."})
	}
	return lines
}

// portNumbered is the known port of a number, or an unknown one.
func portNumbered(ports []actions.Port, number string) (actions.Port, bool) {
	n, _ := strconv.Atoi(number) // digits only; what is no number is refused as port 0
	if i := slices.IndexFunc(ports, func(p actions.Port) bool { return p.Number == n }); i >= 0 {
		return ports[i], true
	}
	return actions.Port{Name: "port " + number, Number: n}, false
}

func (m *model) forward(target actions.Target, d *openDialog, ports []actions.Port) tea.Cmd {
	port, _ := portNumbered(ports, d.Fields[remotePortField].Text)
	local, _ := strconv.Atoi(d.Fields[localPortField].Text) // digits only; "" is 0, which takes any
	wanted := actions.Forward{Namespace: target.Namespace, Pod: target.Pod, PodUID: target.PodUID, Remote: port.Number, Local: local}
	ctx, actor, all := m.ctx, m.actor(), m.forwards
	round := all.begun()
	doing := m.say(fmt.Sprintf("forwarding port %d of %s …", wanted.Remote, wanted.Pod), false)
	return tea.Batch(doing, m.inBackground(func() tea.Msg {
		made, err := actor.Forward(ctx, wanted)
		if err != nil {
			return said{err.Error(), true}
		}
		if one := all.add(ctx, round, port, made); one != nil {
			return forwardBegun{one}
		}
		return nil
	}))
}

// forwardBegun is a port that is forwarded.
type forwardBegun struct{ of *forwarding }

func (b forwardBegun) arrive(m *model) tea.Cmd {
	shown := views.Forwarded{Port: b.of.port, State: b.of.State()}
	text := fmt.Sprintf("%s of %s is forwarded to %s; f lists", shown.Port.Name, shown.State.Pod, shown.Address())
	if address := shown.URL(); address != "" {
		text = fmt.Sprintf("%s of %s is at %s; f lists, and opens it in the browser", shown.Port.Name, shown.State.Pod, address)
	}
	return tea.Batch(m.say(text, false), awaitForward(b.of))
}

// awaitForward waits until the state of a forwarded port changes.
func awaitForward(of *forwarding) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-of.Changed():
			return forwardChanged{of, of.State()}
		case <-of.ctx.Done():
			return nil
		}
	}
}

// forwardChanged is another state of a forwarded port.
type forwardChanged struct {
	of    *forwarding
	state actions.ForwardState
}

func (c forwardChanged) arrive(m *model) tea.Cmd {
	then := awaitForward(c.of)
	if c.state.Ended {
		return tea.Batch(then, m.say(c.state.Trouble, true))
	}
	return then
}

func (m *model) stopForwards(ids []int) tea.Cmd {
	return m.say("stopped forwarding "+draw.Plural(m.forwards.remove(ids), "port"), false)
}

// endForwards ends what was begun in a session that is over.
func (m *model) endForwards() { m.forwards.removeAll() }

// addForwards tells in the header how many ports are forwarded.
func (m *model) addForwards(line *draw.Line) {
	all := m.forwards.states()
	if len(all) == 0 {
		return
	}
	role, text := themes.Dim, " pf "+draw.Count(len(all))
	if slices.ContainsFunc(all, func(f views.Forwarded) bool { return f.State.Trouble != "" }) {
		role, text = themes.Waiting, text+m.theme.Glyphs.Warning
	}
	line.Add(role, text)
}
