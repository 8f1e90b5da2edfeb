package termtext

import (
	"strconv"
	"strings"
)

// Count is a number with its noun: "1 pod", "3 pods", "2 entries".
func Count(n int, noun string) string {
	return strconv.Itoa(n) + " " + Plural(n, noun)
}

// Plural is the form of an English noun that agrees with n: "pod" for one,
// else "pods"; nouns in s, x, ch and sh take "es", a y behind a consonant
// becomes "ies".
func Plural(n int, noun string) string {
	if n == 1 || noun == "" {
		return noun
	}
	last := noun[len(noun)-1]
	switch {
	case last == 's', last == 'x', strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	case last == 'y' && len(noun) > 1 && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// Agree is the word that agrees with n: one for exactly one, else many.
func Agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
