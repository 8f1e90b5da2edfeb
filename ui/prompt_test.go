package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/ui/tasks"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/dialog"
)

func (d *driver) pastes(text string) *driver {
	d.t.Helper()
	d.send(tea.PasteMsg{Content: text})
	return d
}

// typedIs checks the text of the prompt, | at its cursor on the screen.
func (d *driver) typedIs(want string) {
	d.t.Helper()
	lines := strings.Split(ansi.Strip(d.coloured()), "\n")
	last, cursor := lines[len(lines)-1], d.m.View().Cursor
	if cursor == nil || cursor.Y != len(lines)-1 {
		d.t.Fatalf("the cursor is at %v, want %q", cursor, want)
	}
	got := ansi.Cut(last, 0, cursor.X) + "|" + ansi.Cut(last, cursor.X, d.m.width)
	if !strings.HasPrefix(got, " "+want) {
		d.t.Errorf("the prompt reads %q, want %q", got, want)
	}
}

func TestPromptEdits(t *testing.T) {
	d := drive(t, Options{}, 80, 24).keys(":").types("job llm")
	d.keys("alt+left", "left").types("s").typedIs(":jobs| llm")
	d.keys("end", "ctrl+w").typedIs(":jobs |")
	d.pastes("ll\r\nm\x1b[31m x \n").typedIs(":jobs ll m x|")
	d.keys("home").types("日本 ").typedIs(":日本 |jobs ll m x")
	d.keys("ctrl+u", "end", "ctrl+w", "ctrl+w", "ctrl+w").types("llm").keys("enter")
	d.shows("Jobs 4")
	d.keys("/").types(strings.Repeat("0123456789", 12)).typedIs("/")
	if x := d.m.View().Cursor.X; x != 79 {
		t.Errorf("the cursor of a long text is at %d, want the last cell", x)
	}
	d.keys("home").typedIs("/|0123456789")
	d.keys("ctrl+k").types("qwen").keys("enter").shows("Jobs 1 of 4", "/qwen")
}

// Each sort of prompt recalls its own lines, and restores the line being typed.
func TestPromptRecalls(t *testing.T) {
	d := drive(t, Options{}, 100, 24).command("nodes").command("jobs llm")
	d.keys("/").types("qwen").keys("enter", "/", "ctrl+u").types("bert").keys("enter")
	d.keys(":").types("ev").keys("up").typedIs(":jobs llm|")
	d.keys("up", "up", "up").typedIs(":nodes|")
	d.keys("down", "down", "down").typedIs(":ev|ents")
	d.keys("up", "backspace").typedIs(":jobs ll|m")
	d.keys("esc", "/", "ctrl+u", "up", "up").typedIs("/qwen|")
	d.shows("Jobs 1 of 4")
	d.keys("down").typedIs("/bert|")
}

// The keys of a prompt on the smallest terminals: nothing breaks, and where
// there is room for a screen the cursor is in it.
func TestPromptOnSmallTerminals(t *testing.T) {
	for _, size := range [][2]int{{20, 5}, {24, 6}} {
		d := drive(t, Options{}, size[0], size[1]).keys("/").types(strings.Repeat("日本語(", 20))
		for range 50 {
			d.keys("left")
			if c := d.m.View().Cursor; c != nil && (c.X >= size[0] || c.Y >= size[1]) {
				t.Fatalf("%v: the cursor is at %d, %d", size, c.X, c.Y)
			}
			for _, line := range strings.Split(d.coloured(), "\n") {
				if ansi.StringWidth(line) > size[0] {
					t.Fatalf("%v: %q is too wide", size, ansi.Strip(line))
				}
			}
		}
		if d.m.prompt.Text() != strings.Repeat("日本語(", 20) {
			t.Errorf("%v: typed %q", size, d.m.prompt.Text())
		}
	}
}

// A field of a dialog is edited like the prompt; left and right leave no field.
func TestDialogFieldsAreEdited(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	asked := &dialog.Dialog{Title: "Copy", Does: "Copy", Fields: []dialog.Field{{Label: "path"}}}
	asked.Lines = []dialog.Line{{Role: themes.Text, Text: "It copies."}}
	d.m.open(&tasks.Dialog{Dialog: asked, Pressed: func() tea.Cmd { return nil }})
	d.types("/ckpt/lst").keys("left", "left").types("a").pastes(" b\nc ")
	if got := asked.Fields[0].Text; got != "/ckpt/lab cst" {
		t.Errorf("the field holds %q", got)
	}
	lines := strings.Split(ansi.Strip(d.coloured()), "\n")
	c := d.m.View().Cursor
	if c == nil || !strings.HasPrefix(ansi.Cut(lines[c.Y], c.X, 80), "st") || !strings.HasSuffix(ansi.Cut(lines[c.Y], 0, c.X), "/ckpt/lab c") {
		t.Errorf("the cursor is at %v in\n%s", c, d.screen())
	}
	if d.keys("tab"); d.m.View().Cursor != nil {
		t.Error("a button has a cursor to type at")
	}
}

// A question with a long sign has its cursor behind the typed text.
func TestQuestionCursor(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.m.typing.ask(views.Question{Sign: "go to ", Hint: "a step"})
	d.types("12").keys("left")
	d.typedIs("go to 1|2")
}
