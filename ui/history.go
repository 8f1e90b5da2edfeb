package ui

import (
	"strings"

	"github.com/traintop/traintop/views"
)

// history is the commands that were run, oldest first. It works as in a
// browser: a new command cuts off those ahead.
type history struct {
	lines []string
	at    int // the current one
	// before is the one before it, for "-".
	before int
	// begun is true while the first one is the screen of begin, which nobody typed.
	begun bool
}

// historyOf returns the lines entered at the prompts with a sign.
func (t *typing) historyOf(sign string) *history {
	if sign == ":" {
		return &t.m.history
	}
	if t.m.entered[sign] == nil {
		if t.m.entered == nil {
			t.m.entered = map[string]*history{}
		}
		t.m.entered[sign] = &history{}
	}
	return t.m.entered[sign]
}

// maxHistory bounds it.
const maxHistory = 100

// begin adds the screen that was there before the first command, so that it is gone
// back to as to any other.
func (h *history) begin(screens []views.View) {
	if len(h.lines) > 0 || len(screens) == 0 {
		return
	}
	if _, is := commandNamed(screens[0].Name()); is {
		h.add(screens[0].Name())
		h.begun = true
	}
}

// typed are the lines that were entered.
func (h *history) typed() []string {
	if h.begun {
		return h.lines[1:]
	}
	return h.lines
}

func (h *history) add(line string) {
	if len(h.lines) > 0 && h.lines[h.at] == line {
		return
	}
	if len(h.lines) > 0 {
		h.lines = h.lines[:h.at+1]
	}
	h.lines = append(h.lines, line)
	if len(h.lines) > maxHistory {
		h.lines, h.begun = h.lines[1:], false
	}
	h.goTo(len(h.lines) - 1)
	h.before = max(0, h.at-1)
}

func (h *history) goTo(at int) { h.before, h.at = h.at, at }

func (h *history) earlier() (string, bool) { return h.step(h.at - 1) }
func (h *history) later() (string, bool)   { return h.step(h.at + 1) }

// last swaps with the command before.
func (h *history) last() (string, bool) {
	if h.before == h.at {
		return "", false
	}
	return h.step(h.before)
}

func (h *history) step(to int) (string, bool) {
	if to < 0 || to >= len(h.lines) {
		return "", false
	}
	h.goTo(to)
	return h.lines[to], true
}

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

func restOf(line string) []string { return strings.Fields(line)[1:] }
