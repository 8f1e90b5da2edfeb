package termtext

import (
	"slices"
	"strconv"
	"strings"
)

// More counts what is not named: "3 more", or with a noun "1 more job", "3 more jobs".
func More(n int, noun string) string {
	if noun == "" {
		return strconv.Itoa(n) + " more"
	}
	return Count(n, "more "+noun)
}

// AndMore ends a text that names some of many: " and 3 more", as More; "" for no others.
func AndMore(n int, noun string) string {
	if n <= 0 {
		return ""
	}
	return " and " + More(n, noun)
}

// Few names the first of many and counts the others: "a, b and 498 more".
func Few(names []string, most int) string {
	return strings.Join(names[:min(most, len(names))], ", ") + AndMore(len(names)-most, "")
}

// FewOf is Few for things that have names.
func FewOf[T any](things []T, most int, name func(T) string) string {
	return strings.Join(namesOf(things, most, name), ", ") + AndMore(len(things)-most, "")
}

// FewLines keeps the first of many lines or parts of a sentence, and counts the others
// in one more: "and 498 more".
func FewLines(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most]), "and "+More(len(lines)-most, ""))
}

// FewLinesOf is FewLines for things with a line each.
func FewLinesOf[T any](things []T, most int, line func(T) string) []string {
	lines := namesOf(things, most, line)
	if len(things) > most {
		lines = append(lines, "and "+More(len(things)-most, ""))
	}
	return lines
}

func namesOf[T any](things []T, most int, name func(T) string) []string {
	var names []string
	for _, thing := range things[:min(most, len(things))] {
		names = append(names, name(thing))
	}
	return names
}
