package draft

import (
	"regexp"
	"strconv"
	"strings"
)

// Expressions of the parts of a match.
const (
	anyNumber  = `[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?|[-+]?(?i:nan|inf)`
	anyInstant = `[0-9][0-9:/.-]*`
)

// Match returns the regular expression that reads the named fields of a line:
// names[i] is the group of fields[i], "" for one that is not read. The text between
// them is taken literally, apart from blanks, other numbers, dates and clocks. It
// is "" where no field has a name.
func Match(line string, fields []Field, names []string) string {
	first, last := -1, -1
	for i, name := range names {
		if name != "" && first < 0 {
			first = i
		}
		if name != "" {
			last = i
		}
	}
	if first < 0 {
		return ""
	}
	var b strings.Builder
	end := 0
	if first > 0 {
		end = fields[first-1].To
	}
	used := map[string]int{}
	b.WriteString(literal(lead(line[end:fields[first].From])))
	for i := first; i <= last; i++ {
		if i > first {
			b.WriteString(literal(line[fields[i-1].To:fields[i].From]))
		}
		if names[i] == "" {
			b.WriteString("(?:" + anyNumber + ")")
			continue
		}
		b.WriteString("(?P<" + alone(names[i], used) + ">" + anyNumber + ")")
	}
	return b.String()
}

// lead is the text before the first field from its last two words on: more of it
// would be what a logger prints.
func lead(text string) string {
	starts := word.FindAllStringIndex(text, -1)
	if len(starts) > 2 {
		return text[starts[len(starts)-2][0]:]
	}
	return text
}

// alone numbers a name that another group has.
func alone(name string, used map[string]int) string {
	used[name]++
	if n := used[name]; n > 1 {
		return name + "_" + strconv.Itoa(n)
	}
	return name
}

var blanks = regexp.MustCompile(`\s+`)

// literal quotes a text; blanks may be more or fewer, but not none between words.
func literal(text string) string {
	var b strings.Builder
	end := 0
	for _, at := range instant.FindAllStringIndex(text, -1) {
		b.WriteString(quoted(text[end:at[0]]))
		b.WriteString(anyInstant)
		end = at[1]
	}
	b.WriteString(quoted(text[end:]))
	return b.String()
}

func quoted(text string) string {
	return blanks.ReplaceAllString(regexp.QuoteMeta(text), `\s*`)
}
