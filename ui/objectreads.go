package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// objectInterval is how often the object on the screen is read again.
const objectInterval = 3 * time.Second

// objectReads reads the object that the screen on top shows (views.Refreshing),
// again and again while it is shown.
type objectReads struct {
	m *model
	// of is the screen that a read is under way or due for, nil for none.
	of views.View
	// asked is what it wanted last.
	asked views.Reading
}

// ask starts to read for the screen on top. It is called after each message.
func (o *objectReads) ask() tea.Cmd {
	screen, is := o.m.top().(views.Refreshing)
	if !is || o.m.resources.reader() == nil || o.m.travel.past() {
		o.of = nil
		return nil
	}
	want := screen.Reads(o.m.frame())
	switch {
	case want.Ref.Kind == "":
		o.of = nil
		return nil
	case o.of == o.m.top() && o.asked == want:
		return nil
	}
	o.of, o.asked = o.m.top(), want
	if want.Later {
		return o.m.after(objectInterval, objectDue{o.of, want})
	}
	return o.read(want)
}

// read reads once, off the event loop.
func (o *objectReads) read(want views.Reading) tea.Cmd {
	ctx, reader, of := o.m.ctx, o.m.resources.reader(), o.of
	manifest := o.m.manifestReader(want.Ref, want.ManagedFields)
	return o.m.host.OffLoop(func() tea.Msg {
		var read views.Read
		if want.AsText {
			read.Text, read.Err = manifest(ctx)
		} else {
			read.Fields, read.Err = reader.Object(ctx, want.Ref)
		}
		return objectAnswer{of, want, read}
	})
}

// objectDue is the time to read again.
type objectDue struct {
	of   views.View
	want views.Reading
}

func (d objectDue) arrive(m *model) tea.Cmd {
	if m.reads.of != d.of || m.reads.asked != d.want || m.top() != d.of {
		m.dirty = false
		return nil // the screen was left, or wants something else
	}
	return m.reads.read(d.want)
}

// objectAnswer is what was read.
type objectAnswer struct {
	of   views.View
	want views.Reading
	read views.Read
}

func (a objectAnswer) arrive(m *model) tea.Cmd {
	if screen, is := a.of.(views.Refreshing); is {
		screen.HasRead(a.read)
	}
	if m.reads.of != a.of || m.reads.asked != a.want {
		return nil
	}
	return m.after(objectInterval, objectDue{a.of, a.want})
}
