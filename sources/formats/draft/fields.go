package draft

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/formats"
)

// Field is a number of a line.
type Field struct {
	From, To int // bytes of the line
	// Name is what the word before the number suggests, as the name of a group
	// of a pattern; "" where no word is before it.
	Name string
}

var (
	number = regexp.MustCompile(`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|(?i:\b(?:nan|inf)\b)`)
	// instant is a date, a clock, a version or an address: no measurement.
	instant = regexp.MustCompile(`\d+(?:[:/.-]\d+){2,}(?:,\d+)?|\d{1,2}:\d{2}\b|\b\d{4}-\d{2}\b`)
	// place is a line of a source file.
	place = regexp.MustCompile(`\w\.[A-Za-z]+:\d+`)
	// link is an address with its scheme: numbers in it name what is behind it.
	link = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://\S*`)
	word = regexp.MustCompile(`[\pL_][\pL\d_/@.-]*`)
)

// Fields returns the numbers of a line, from left to right. Digits of names,
// dates, clocks, versions, addresses and links are none.
func Fields(line string) []Field {
	var fields []Field
	others := slices.Concat(instant.FindAllStringIndex(line, -1), place.FindAllStringIndex(line, -1), link.FindAllStringIndex(line, -1))
	end := 0
	for _, at := range number.FindAllStringIndex(line, -1) {
		if within(at, others) || glued(line, at) {
			continue
		}
		f := Field{From: at[0], To: at[1]}
		if words := word.FindAllString(line[end:f.From], -1); len(words) > 0 {
			f.Name = formats.GroupName(strings.TrimRight(words[len(words)-1], "./-"))
		}
		fields = append(fields, f)
		end = f.To
	}
	return fields
}

func within(at []int, all [][]int) bool {
	for _, span := range all {
		if at[0] < span[1] && span[0] < at[1] {
			return true
		}
	}
	return false
}

// glued reports whether the number is a part of a word: "rank0", "v2", "3d".
// Units stay: "12ms", "5%".
func glued(line string, at []int) bool {
	before := line[:at[0]]
	if at[0] > 0 && isWord(before[len(before)-1]) {
		return true
	}
	after := at[1]
	for after < len(line) && line[after] != '_' && isWord(line[after]) {
		after++
	}
	return after < len(line) && line[after] == '_'
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
