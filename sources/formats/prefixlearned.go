package formats

import (
	"bytes"
	"hash/fnv"
	"unicode"
	"unicode/utf8"
)

// learnedPrefix is what all lines of a log begin with although no logger,
// launcher or collector that we know writes it: "gpu03 ~ out ~ ", "train.log:12:".
// It is learned from the log's first lines (prefixLearner).
type learnedPrefix struct {
	parts []prefixPart
}

// prefixPart is one word, number, time, blank or sign of a learned prefix.
type prefixPart struct {
	class partClass
	// text is what all lines have here, "" where it varies.
	text string
	// process: it varies between few values, as the number of a worker does.
	process bool
}

type partClass uint8

const (
	partNone partClass = iota
	partWord
	partNumber
	partBlank
	partSign // one character that is none of these
	partTime // a date, a time of day, or both
)

// cut returns what is behind the prefix, and the process that wrote the line: 0
// where the prefix does not show it, else a number above those of ranks.
func (p *learnedPrefix) cut(text []byte) (rest []byte, process int, ok bool) {
	at := 0
	hash := fnv.New32a()
	for i := range p.parts {
		part := &p.parts[i]
		class, n := nextPart(text[at:])
		switch {
		case part.class == partTime:
			n = timeLength(text[at:])
		case part.class == partBlank && i == 0 && class != partBlank:
			continue
		case class != part.class:
			n = 0
		case part.class == partBlank && part.text != "":
			n = min(n, len(part.text))
		case part.text != "" && string(text[at:at+n]) != part.text:
			n = 0
		}
		if n == 0 {
			return text, 0, false
		}
		if part.process {
			hash.Write(text[at : at+n])
			process = 1
		}
		at += n
	}
	if process > 0 {
		process = int(hash.Sum32())<<1 | 1<<24
	}
	return text[at:], process, true
}

// nextPart returns the class and the length of the first part of text.
func nextPart(text []byte) (partClass, int) {
	if len(text) == 0 {
		return partNone, 0
	}
	switch c := text[0]; {
	case isBlank(c):
		return partBlank, run(text, isBlank)
	case isDigit(c):
		return partNumber, run(text, isDigit)
	case isLetter(c) || c == '_':
		return partWord, run(text, func(c byte) bool { return isLetter(c) || c == '_' })
	case c < utf8.RuneSelf:
		return partSign, 1
	}
	r, n := utf8.DecodeRune(text)
	if !unicode.IsLetter(r) {
		return partSign, n
	}
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !unicode.IsLetter(r) {
			break
		}
		n += size
	}
	return partWord, n
}

// run is how many bytes from the beginning are of one kind.
func run(text []byte, of func(byte) bool) int {
	n := 0
	for n < len(text) && of(text[n]) {
		n++
	}
	return n
}

// timeLength is the length of a date or a time of day, 0 for none.
func timeLength(text []byte) int {
	if n := timestamp(text); n > 0 {
		return len(bytes.TrimRight(text[:n], " "))
	}
	return 0
}
