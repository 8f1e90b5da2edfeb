package tasks

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// The fields of the question which port to forward.
const (
	knownPortField = iota
	remotePortField
	localPortField
)

// otherPort is the choice of a port without a known name.
const otherPort = "another one"

// Start asks which port of a pod to forward, and where to.
func (f *Forwards) Start(target actions.Target) tea.Cmd {
	ports := actions.Ports(f.host.Session().Snapshot.Pod(target.Namespace, target.Pod))
	var names []string
	for _, p := range ports {
		names = append(names, fmt.Sprintf("%s %d", p.Name, p.Number))
	}
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Forward a port of " + target.Pod, Does: "Forward", FromTop: true}}
	d.Fields = []dialog.Field{
		{Label: "port", Choices: append(names, otherPort)},
		{Label: "its number", Digits: true},
		{Label: "port here", Digits: true, Hint: "empty takes the same, or a free one"},
	}
	chosen := -1
	d.Changed = func() tea.Cmd {
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
	d.Changed()
	d.Pressed = func() tea.Cmd { return f.forward(target, d, ports) }
	return f.host.openReviewed(d, actions.Access{Verb: actions.Create, Kind: "Pod", Subresource: "portforward", Namespace: target.Namespace, Name: target.Pod})
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
	n, _ := strconv.Atoi(number) // digits only; a text that is not a number is refused as port 0
	if i := slices.IndexFunc(ports, func(p actions.Port) bool { return p.Number == n }); i >= 0 {
		return ports[i], true
	}
	return actions.Port{Name: "port " + number, Number: n}, false
}

// forward starts the forward that the dialog's fields describe.
func (f *Forwards) forward(target actions.Target, d *Dialog, ports []actions.Port) tea.Cmd {
	port, _ := portNumbered(ports, d.Fields[remotePortField].Text)
	local, _ := strconv.Atoi(d.Fields[localPortField].Text) // digits only; "" is 0, which means any
	wanted := actions.Forward{Namespace: target.Namespace, Pod: target.Pod, PodUID: target.PodUID, Remote: port.Number, Local: local}
	doing := f.host.Notify(fmt.Sprintf("forwarding port %d of %s …", wanted.Remote, wanted.Pod), false)
	return tea.Batch(doing, f.Begin(wanted, port))
}

// Begin forwards a port.
func (f *Forwards) Begin(wanted actions.Forward, port actions.Port) tea.Cmd {
	ctx, round := f.host.Ctx, f.begun()
	actor, err := f.host.actor()
	if err != nil {
		return f.host.Notify(err.Error(), true)
	}
	return f.host.InBackground(func() tea.Msg {
		made, err := actor.Forward(ctx, wanted)
		if err != nil {
			return f.host.Notice(err.Error(), true)
		}
		if one := f.add(ctx, round, port, made); one != nil {
			return forwardBegun{f.host, one}
		}
		return nil
	})
}

// forwardBegun is a port that is forwarded.
type forwardBegun struct {
	host *Host
	of   *forwarding
}

// Arrive reports the local port, and waits for state changes.
func (b forwardBegun) Arrive() tea.Cmd {
	shown := views.Forwarded{Port: b.of.port, State: b.of.State()}
	text := fmt.Sprintf("%s of %s is forwarded to %s; f lists", shown.Port.Name, shown.State.Pod, shown.Address())
	if address := shown.URL(); address != "" {
		text = fmt.Sprintf("%s of %s is at %s; f lists, and opens it in the browser", shown.Port.Name, shown.State.Pod, address)
	}
	return tea.Batch(b.host.Notify(text, false), awaitForward(b.host, b.of))
}

// awaitForward waits until the state of a forwarded port changes.
func awaitForward(host *Host, of *forwarding) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-of.Changed():
			return forwardChanged{host, of, of.State()}
		case <-of.ctx.Done():
			return nil
		}
	}
}

// forwardChanged is a new state of a forwarded port.
type forwardChanged struct {
	host  *Host
	of    *forwarding
	state actions.ForwardState
}

// Arrive reports when the port is no longer forwarded.
func (c forwardChanged) Arrive() tea.Cmd {
	then := awaitForward(c.host, c.of)
	if c.state.Ended {
		return tea.Batch(then, c.host.Notify(c.state.Trouble, true))
	}
	return then
}

// Stop ends those with these IDs.
func (f *Forwards) Stop(ids []int) tea.Cmd {
	return f.host.Notify("stopped forwarding "+draw.Plural(f.remove(ids), "port"), false)
}
