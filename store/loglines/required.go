package loglines

import (
	"bytes"
	"regexp/syntax"
)

// needle is text to search for.
type needle struct {
	text []byte
	fold bool
}

// required returns texts of which every match of an expression contains at
// least one; none when there are no such texts, or too many.
func required(e *syntax.Regexp) []needle {
	switch e.Op {
	case syntax.OpLiteral:
		fold := e.Flags&syntax.FoldCase != 0
		if text := longestRun(e.Rune, fold); len(text) > 0 {
			return []needle{{text, fold}}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(e.Sub[0])
	case syntax.OpRepeat:
		if e.Min > 0 {
			return required(e.Sub[0])
		}
	case syntax.OpConcat:
		var best []needle
		for _, part := range e.Sub {
			if texts := required(part); worth(texts) > worth(best) {
				best = texts
			}
		}
		return best
	case syntax.OpAlternate:
		var all []needle
		for _, part := range e.Sub {
			texts := required(part)
			if all = append(all, texts...); len(texts) == 0 || len(all) > maxLiterals {
				return nil
			}
		}
		return all
	}
	return nil
}

func (n needle) equal(other needle) bool {
	return n.fold == other.fold && bytes.Equal(n.text, other.text)
}

// leading returns texts such that every match of an expression begins with one
// of them; none when there are no such texts.
func leading(e *syntax.Regexp) []needle {
	switch e.Op {
	case syntax.OpLiteral:
		if texts := required(e); len(texts) == 1 && len(texts[0].text) == len(string(e.Rune)) {
			return texts
		}
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		return leading(e.Sub[0])
	case syntax.OpRepeat:
		if e.Min > 0 {
			return leading(e.Sub[0])
		}
	case syntax.OpAlternate:
		var all []needle
		for _, part := range e.Sub {
			texts := leading(part)
			if all = append(all, texts...); len(texts) == 0 {
				return nil
			}
		}
		return all
	}
	return nil
}

// worth returns how much a set of texts narrows the search: as much as its
// shortest text.
func worth(texts []needle) int {
	if len(texts) == 0 {
		return 0
	}
	shortest := len(texts[0].text)
	for _, t := range texts {
		shortest = min(shortest, len(t.text))
	}
	return shortest
}

// longestRun returns the longest part of a literal that can be searched for
// byte by byte: where case is ignored, one without letters beyond ASCII that
// have two cases.
func longestRun(runes []rune, fold bool) []byte {
	var longest, run []byte
	for _, r := range runes {
		if r == '\n' || fold && r >= 0x80 && hasCase(r) {
			run = nil
			continue
		}
		run = append(run, string(r)...)
		if len(run) > len(longest) {
			longest = bytes.Clone(run)
		}
	}
	return longest
}
