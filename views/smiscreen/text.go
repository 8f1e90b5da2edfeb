package smiscreen

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Limits of the shown texts; an answer is bounded already, a thousand of them
// are not.
const (
	mostTextLines = 20_000
	mostPodLines  = 2_000
)

// write lays out the tools' output, container by container.
func (v *View) write(f views.Frame) {
	if made := fmt.Sprint(v.version, v.shows(), f.Theme.Name); made != v.paged {
		v.paged = made
		v.pager.Set(v.lines(f))
	}
}

func (v *View) lines(f views.Frame) []draw.TextLine {
	var lines []draw.TextLine
	for i, p := range v.pods {
		if len(lines) > mostTextLines {
			return append(lines, draw.TextLine{{Text: draw.More(len(v.pods)-i, "") + "; a chooses fewer ranks", Role: themes.Waiting}})
		}
		if i > 0 {
			lines = append(lines, draw.TextLine{})
		}
		lines = append(lines, v.heading(p))
		lines = append(lines, v.said(f, p)...)
	}
	if len(v.pods) == 0 {
		for _, text := range v.nothing(f) {
			lines = append(lines, draw.TextLine{{Text: text, Role: themes.Dim}})
		}
	}
	return lines
}

// heading names a container, and the command that was run in it.
func (v *View) heading(p *pod) draw.TextLine {
	text := "rank " + p.Label
	if p.Index < 0 {
		text = "pod"
	}
	text += "   " + p.Namespace + "/" + p.Pod
	if p.Node != "" {
		text += "   " + p.Node
	}
	line := draw.TextLine{{Text: text, Role: themes.Heading}}
	if a, known := p.answers[v.shows()]; known {
		line = append(line, draw.Span{Text: "   $ " + strings.Join(a.Command, " "), Role: themes.Dim})
	}
	return line
}

func (v *View) said(f views.Frame, p *pod) []draw.TextLine {
	a, known := p.answers[v.shows()]
	var lines []draw.TextLine
	if why := p.why(v.shows()); why != "" && (!known || !p.running || a.Failure != nil) {
		lines = append(lines, draw.TextLine{{Text: why, Role: themes.Waiting}})
	}
	if !known {
		if len(lines) == 0 {
			lines = append(lines, draw.TextLine{{Text: "asking" + f.Theme.Glyphs.Ellipsis, Role: themes.Dim}})
		}
		return lines
	}
	for _, text := range [][]byte{a.Stdout, a.Stderr} {
		if len(text) == 0 {
			continue
		}
		for line := range strings.SplitSeq(strings.TrimRight(string(text), "\n"), "\n") {
			if len(lines) >= mostPodLines {
				return append(lines, draw.TextLine{{Text: "it printed more", Role: themes.Waiting}})
			}
			if line != "" || len(lines) > 0 {
				lines = append(lines, draw.TextLine{{Text: detabbed(line), Role: themes.Text}})
			}
		}
	}
	switch {
	case a.Cut:
		lines = append(lines, draw.TextLine{{Text: "it printed too much, and was stopped", Role: themes.Waiting}})
	case a.Exit > 0:
		lines = append(lines, draw.TextLine{{Text: fmt.Sprintf("it ended with exit code %d", a.Exit), Role: themes.Waiting}})
	}
	return lines
}

// detabbed replaces tabs by spaces up to the next stop of eight cells:
// nvidia-smi topo -m lays its matrix out with them.
func detabbed(line string) string {
	if !strings.ContainsRune(line, '\t') || len(line) > 4096 {
		return line
	}
	line = draw.Clean(strings.ReplaceAll(line, "\t", "\u2400"))
	var b strings.Builder
	at := 0
	for i, part := range strings.Split(line, "\u2400") {
		if i > 0 {
			stop := 8 - at%8
			b.WriteString(draw.Spaces(stop))
			at += stop
		}
		b.WriteString(part)
		at += draw.Width(part)
	}
	return b.String()
}
