package formats

import (
	"bytes"
	"math"
	"time"
)

// drawnBar finds where the bar begins of a program that draws its own, with the percent
// sign at mark. n/N behind it has to agree with the percentage.
//
//	640:  45% ━━━━━─────── 184/409 1.5it/s 2:03<2:30
//	Training [===      ] 8.5% 5000/58874 | 4.62 it/s | loss=3.91
func drawnBar(text []byte, mark int) (start int, ok bool) {
	rest := text[mark+1:]
	if len(rest) < 4 || rest[0] != ' ' {
		return 0, false
	}
	start = mark
	for start > 0 && (isDigit(text[start-1]) || text[start-1] == '.') {
		start--
	}
	percent, _, numeric := readFloat(text, start)
	if !numeric {
		return 0, false
	}
	count := 1 + lineGlyphs(rest[1:])
	if count == 1 {
		if start = bracketedBar(text[:start]); start < 0 {
			return 0, false
		}
	} else if rest[count] != ' ' {
		return 0, false
	} else {
		count++
	}
	if count >= len(rest) || !isDigit(rest[count]) {
		return 0, false
	}
	n, after, _ := readFloat(rest, count)
	of, _, whole := readOf(rest, after)
	return start, whole && of > 0 && math.Abs(percent-100*n/of) <= 1
}

// lineGlyphs returns the length of the run of box-drawing characters and block
// elements (U+2500 to U+259F) that text begins with. It leaves at least one byte.
func lineGlyphs(text []byte) int {
	i := 0
	for i+3 < len(text) && text[i] == 0xE2 && text[i+1] >= 0x94 && text[i+1] <= 0x96 {
		i += 3
	}
	return i
}

// bracketedBar returns where a bar in brackets begins that text ends in, "[===>   ] ",
// and -1 without one.
func bracketedBar(text []byte) int {
	const shortest = 8
	text = bytes.TrimRight(text, " ")
	if len(text) < shortest || text[len(text)-1] != ']' {
		return -1
	}
	for i := len(text) - 2; i >= 0; i-- {
		switch c := text[i]; {
		case c == '[' && len(text)-i-2 >= shortest:
			return i
		case c < 0x80 && !isBarSign(c):
			return -1
		}
	}
	return -1
}

func isBarSign(c byte) bool {
	return c == '=' || c == '-' || c == '#' || c == '>' || c == '.' || c == '*' || c == ' '
}

// readDrawn parses n/N and what follows in rest, the text behind the percent sign of
// such a bar: the rate, the times, and what the program appends.
func (b *bar) readDrawn(rest []byte) bool {
	at := 1 + lineGlyphs(rest[1:])
	rest = bytes.TrimLeft(rest[at:], " ")
	n, after, _ := readFloat(rest, 0)
	of, stop, _ := readOf(rest, after)
	b.n, b.of = n, of
	if stop < len(rest) && isLetter(rest[stop]) {
		b.transfer = true
		return true
	}
	rest = bytes.TrimLeft(rest[stop:], " |")
	if v, end, numeric := readValue(rest, 0); numeric && (v.unit == unitItsSecond || v.unit == unitSecondsIt) {
		b.readRate(rest[:end])
		rest = bytes.TrimLeft(rest[end:], " |")
	} else if isSpeed(rest) {
		b.transfer = true // 414.98 MiB/s
		return true
	}
	if word, behind, _ := bytes.Cut(rest, []byte(" ")); len(word) > 0 && isDigit(word[0]) { // 2:03<2:30
		_, after, _ := bytes.Cut(word, []byte("<"))
		if left, _, clock := readClock(after, 0); clock {
			b.remaining, b.hasLeft = time.Duration(left.number*float64(time.Second)), true
		}
		rest = behind
	}
	b.postfix = rest
	return true
}

// isSpeed reports whether text begins with a number per second: "414.98 MiB/s".
func isSpeed(text []byte) bool {
	const longest = 16
	number, rest, found := bytes.Cut(text, []byte("/s"))
	return found && len(number) > 0 && len(number) < longest && isDigit(number[0]) && (len(rest) == 0 || !isWordByte(rest[0]))
}
