package themes

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Close ends whatever a role's sequence began.
const Close = "\x1b[m"

// Theme is the look of every role, and the glyphs of states.
type Theme struct {
	Name   string
	Glyphs Glyphs
	// Background and Foreground are "#rrggbb" for a theme with its own
	// background, "" for one that keeps the terminal's.
	Background, Foreground string

	open, selected [roleCount]string
	// looks are those that open and selected were made of.
	looks   [roleCount]struct{ plain, selected look }
	foreign *foreignColours
}

// Open begins a role's look, on the selected row's background or not.
func (t *Theme) Open(r Role, selected bool) string {
	if r >= roleCount {
		r = Text
	}
	if selected {
		return t.selected[r]
	}
	return t.open[r]
}

// Paint wraps one piece of text in a role. Lines of many pieces are built
// with Open, which does not close between pieces.
func (t *Theme) Paint(r Role, text string) string {
	if open := t.Open(r, false); open != "" && text != "" {
		return open + text + Close
	}
	return text
}

// NameRole is the role in which a name (a job on a node's GPUs, say) is
// always drawn, so that the eye can follow it.
func (t *Theme) NameRole(name string) Role {
	h := fnv.New32a()
	h.Write([]byte(name))
	return Name0 + Role(h.Sum32()%uint32(nameRoles))
}

// look is how a role is drawn: colours as "#rrggbb" or "" for the
// terminal's own, and attributes.
type look struct {
	fg, bg string
	// fgCode and bgCode are the colours of a terminal with fewer of them, as
	// parameters of SGR.
	fgCode, bgCode                  string
	bold, faint, underline, reverse bool
}

func (l look) sequence() string {
	codes := []string{"0"}
	for _, attribute := range []struct {
		on   bool
		code string
	}{{l.bold, "1"}, {l.faint, "2"}, {l.underline, "4"}, {l.reverse, "7"}} {
		if attribute.on {
			codes = append(codes, attribute.code)
		}
	}
	for _, code := range []string{l.fgCode, l.bgCode} {
		if code != "" {
			codes = append(codes, code)
		}
	}
	if l.fg != "" {
		codes = append(codes, "38;2;"+rgb(l.fg))
	}
	if l.bg != "" {
		codes = append(codes, "48;2;"+rgb(l.bg))
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

func rgb(hex string) string {
	c := parseRGB(hex)
	return fmt.Sprintf("%d;%d;%d", c[0], c[1], c[2])
}

// build computes every sequence. over is the change of a role's look on the
// selected row.
func build(name string, glyphs Glyphs, looks map[Role]look, over func(look) look) *Theme {
	t := &Theme{Name: name, Glyphs: glyphs, foreign: &foreignColours{known: map[string]string{}}}
	for r := range roleCount {
		l := looks[r]
		t.looks[r].plain, t.looks[r].selected = l, over(l)
		t.open[r], t.selected[r] = l.sequence(), over(l).sequence()
	}
	return t
}
