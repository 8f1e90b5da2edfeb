package receivers

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/traintop/traintop/alerts"
)

var terminalKind = Kind{
	Type: "terminal", Title: "terminal",
	New:    func() Service { return &Terminal{} },
	Rates:  []Rate{{1, time.Second}},
	Length: "one line",
	Format: "OSC 9 of iTerm2, OSC 777 of rxvt-unicode, https://sw.kovidgoyal.net/kitty/desktop-notifications/ (OSC 99)",
	Example: `type: terminal
style: auto`,
}

// Terminal rings the terminal that traintop runs in.
type Terminal struct {
	Style string `json:"style" means:"bell, osc9, osc777, osc99, or auto, which knows many terminals by their environment and rings the bell of others"`
	Tmux  *bool  `json:"tmux" means:"wrap it so that tmux hands it on (tmux needs 'set -g allow-passthrough on'); found by $TMUX without it"`
}

// The ways in which a terminal shows a notification.
const (
	StyleAuto   = "auto"
	StyleBell   = "bell"   // no text
	StyleOSC9   = "osc9"   // a text: iTerm2, Windows Terminal's relatives, most others
	StyleOSC777 = "osc777" // title and text: rxvt-unicode, foot, Ghostty, WezTerm, VTE
	StyleOSC99  = "osc99"  // title and text: kitty
)

var terminalStyles = []string{StyleAuto, StyleBell, StyleOSC9, StyleOSC777, StyleOSC99}

// Check implements Service.
func (k *Terminal) Check() []Problem {
	var c checks
	if k.Style != "" && !slices.Contains(terminalStyles, k.Style) {
		c.add("style", "it has to be one of %s", strings.Join(terminalStyles, ", "))
	}
	return c
}

func (k *Terminal) send(_ context.Context, s *sending, n alerts.Notice) error {
	if file, is := s.options.Terminal.(*os.File); s.options.Terminal == nil || is && !term.IsTerminal(int(file.Fd())) {
		return errors.New("there is no terminal; this kind is for traintop on a screen, not for a service")
	}
	lookup := func(name string) string {
		value, _ := s.options.LookupEnv(name)
		return value
	}
	tmux := lookup("TMUX") != ""
	if k.Tmux != nil {
		tmux = *k.Tmux
	}
	style := cmp.Or(k.Style, StyleAuto)
	if style == StyleAuto {
		style = TerminalStyle(lookup)
	}
	if _, err := io.WriteString(s.options.Terminal, TerminalSequence(style, tmux, string(n.Incident.ID), s.message.Heading)); err != nil {
		return fmt.Errorf("write to the terminal: %w", err)
	}
	return nil
}

// terminalMarks list which terminal sets which variable. Ghostty, WezTerm and
// foot document OSC 777, iTerm2 its OSC 9; konsole and VTE name themselves by
// KONSOLE_VERSION and VTE_VERSION.
var terminalMarks = []struct{ variable, part, style string }{
	{"KITTY_WINDOW_ID", "", StyleOSC99},
	{"TERM", "kitty", StyleOSC99},
	{"TERM_PROGRAM", "iTerm", StyleOSC9},
	{"LC_TERMINAL", "iTerm", StyleOSC9},
	{"TERM_PROGRAM", "WezTerm", StyleOSC777},
	{"TERM_PROGRAM", "ghostty", StyleOSC777},
	{"TERM", "ghostty", StyleOSC777},
	{"TERM", "foot", StyleOSC777},
	{"TERM", "rxvt", StyleOSC777},
	{"VTE_VERSION", "", StyleOSC777},
	{"TERM_PROGRAM", "WarpTerminal", StyleOSC9},
}

// TerminalStyle is the style of a terminal by its environment; bell where it is
// unknown.
func TerminalStyle(lookup func(string) string) string {
	if lookup("TERM") == "dumb" {
		return StyleBell // a shell inside an editor, which has the variables of the terminal around it
	}
	for _, mark := range terminalMarks {
		if value := lookup(mark.variable); value != "" && strings.Contains(value, mark.part) {
			return mark.style
		}
	}
	return StyleBell
}

// longestRing is the length of a text in a notification, in characters.
const longestRing = 250

// TerminalSequence is what to write to a terminal so that it rings, with a text
// where the style has one. The text becomes one line without control
// characters; id is that of the incident, so that kitty shows the newest notice
// in place of the earlier ones.
func TerminalSequence(style string, tmux bool, id, text string) string {
	const title, bell = "traintop", "\a"
	text = fit(clean(text), longestRing, inCharacters, asIs)
	sequence := ""
	switch style {
	case StyleOSC9:
		// A text that begins with a digit and a semicolon is a command of ConEmu.
		sequence = "\x1b]9;" + title + ": " + text + "\x1b\\"
	case StyleOSC777:
		sequence = "\x1b]777;notify;" + title + ";" + strings.ReplaceAll(text, ";", ",") + "\x1b\\"
	case StyleOSC99:
		sequence = kittyPart(id, "title:d=0", title) + kittyPart(id, "body:d=1", text)
	}
	if tmux && sequence != "" {
		sequence = "\x1bPtmux;" + strings.ReplaceAll(sequence, "\x1b", "\x1b\x1b") + "\x1b\\"
	}
	return sequence + bell
}

// kittyPart is one part of a notification of kitty, as base64.
func kittyPart(id, payload, text string) string {
	id = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, id)
	return "\x1b]99;i=traintop-" + id + ":e=1:p=" + payload + ";" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x1b\\"
}
