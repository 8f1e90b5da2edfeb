package dialog

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

func ask() *Dialog {
	return &Dialog{Title: "Delete 2 jobs?", Does: "Delete", Lines: []Line{{themes.Text, "deletes bert and its 4 pods"}}}
}

func does(d *Dialog, actions ...keymap.Action) Result {
	last := Unanswered
	for _, a := range actions {
		last = d.Do(a)
	}
	return last
}

func TestCancelIsPreset(t *testing.T) {
	if got := does(ask(), keymap.DialogEnter); got != Cancelled {
		t.Errorf("enter at once gives %v, want Cancelled", got)
	}
	if got := does(ask(), keymap.DialogNext, keymap.DialogEnter); got != Pressed {
		t.Errorf("tab, enter gives %v, want Pressed", got)
	}
	if got := does(ask(), keymap.DialogMore, keymap.DialogLess, keymap.DialogEnter); got != Cancelled {
		t.Errorf("right, left, enter gives %v, want Cancelled", got)
	}
	if got := does(ask(), keymap.DialogNext, keymap.DialogCancel); got != Cancelled {
		t.Errorf("esc gives %v, want Cancelled", got)
	}
}

func TestWhatIsRefusedCannotBePressed(t *testing.T) {
	for _, d := range []*Dialog{{Does: "Delete", Refused: "you may not delete jobs"}, {Does: "Delete", Waiting: "asking whether you may"}} {
		if got := does(d, keymap.DialogNext, keymap.DialogEnter); got != Unanswered {
			t.Errorf("%+v: pressing it gives %v, want Open", d, got)
		}
	}
	if got := does(&Dialog{Title: "done"}, keymap.DialogNext, keymap.DialogNext, keymap.DialogEnter); got != Cancelled {
		t.Errorf("a dialog that only tells closes with %v", got)
	}
}

func TestFields(t *testing.T) {
	d := ask()
	d.Fields = []Field{{Label: "ranks", Digits: true, Text: "4"}, {Label: "pods", Choices: []string{"Background", "Foreground", "Orphan"}}}
	d.Type("1x2")
	d.Do(keymap.EraseLeft)
	if d.Fields[0].Text != "41" {
		t.Errorf("typed %q, want 41", d.Fields[0].Text)
	}
	does(d, keymap.DialogEnter, keymap.DialogLess)
	d.Type("zzz")
	if d.Fields[1].Chosen != 2 || d.Fields[1].Text != "" {
		t.Errorf("choice is %+v, want the last", d.Fields[1])
	}
	if got := does(d, keymap.DialogEnter, keymap.DialogNext, keymap.DialogEnter); got != Pressed {
		t.Errorf("the end of the fields gives %v", got)
	}
	d.focus = 0
	d.Do(keymap.EraseToStart)
	d.Type(strings.Repeat("9", 5*maxTyped))
	if len(d.Fields[0].Text) != maxTyped {
		t.Errorf("%d bytes typed, at most %d are kept", len(d.Fields[0].Text), maxTyped)
	}
}

// A text that no terminal can show stays the field's value until it is edited,
// and a text set from outside is edited next.
func TestFieldsKeepWhatTheyHold(t *testing.T) {
	d := ask()
	d.Fields = []Field{{Label: "path", Text: "/a\tb\u202e"}}
	does(d, keymap.CursorLeft, keymap.CursorEnd)
	if got := d.Fields[0].Text; got != "/a\tb\u202e" {
		t.Errorf("looking at the field makes it %q", got)
	}
	d.Do(keymap.EraseLeft)
	if got := d.Fields[0].Text; got != "/a " {
		t.Errorf("erasing gives %q", got)
	}
	d.Fields[0].Text = "/other"
	d.Type("s")
	if got := d.Fields[0].Text; got != "/others" {
		t.Errorf("typing goes on in %q", got)
	}
}

// Every size gives a box of one width that fits, with its buttons in sight.
func TestBoxFits(t *testing.T) {
	theme, err := themes.Named(themes.Auto, themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := ask()
	d.Fields = []Field{{Label: "to", Text: strings.Repeat("/long", 60)}}
	for range 40 {
		d.Lines = append(d.Lines, Line{themes.Text, "pod \x1b[2J\u202e worker ends " + strings.Repeat("long ", 30)})
	}
	for _, size := range [][2]int{{200, 50}, {80, 20}, {40, 10}, {24, 8}} {
		lines := d.Render(theme, size[0], size[1])
		if len(lines) > size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		all := ""
		for _, line := range lines {
			text := ansi.Strip(line)
			all += text + "\n"
			if draw.Width(text) != draw.Width(ansi.Strip(lines[0])) || draw.Width(text) > size[0] {
				t.Errorf("%v: %d cells: %q", size, draw.Width(text), text)
			}
		}
		if !strings.Contains(all, "Cancel") || !strings.Contains(all, "down shows more") {
			t.Errorf("%v: no buttons, or no word of more:\n%s", size, all)
		}
		if strings.ContainsAny(all, "\x1b\u202e") {
			t.Errorf("%v: what the cluster says controls the terminal: %q", size, all)
		}
	}
	for range 500 {
		d.Do(keymap.DialogDown)
		d.Render(theme, 80, 20)
	}
	if last := ansi.Strip(strings.Join(d.Render(theme, 80, 20), "\n")); strings.Contains(last, "down shows more") {
		t.Errorf("the end is never reached:\n%s", last)
	}
}
