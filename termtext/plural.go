package termtext

import (
	"strconv"
	"strings"
)

// Count formats a number with its noun: "1 pod", "3 pods", "2 entries".
func Count(n int, noun string) string {
	return strconv.Itoa(n) + " " + Plural(n, noun)
}

// GPUs formats a number of accelerators of which some are MIG slices: "4 GPUs",
// "7 MIG slices", "4 GPUs and 7 MIG slices".
func GPUs(all, slices int) string {
	switch whole := Count(all-slices, "GPU"); {
	case slices == 0:
		return whole
	case slices == all:
		return Count(slices, "MIG slice")
	default:
		return whole + " and " + Count(slices, "MIG slice")
	}
}

// Plural returns the form of an English noun for n: "pod" for one, else "pods"; nouns in
// s, x, ch and sh get "es", a y after a consonant becomes "ies".
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

// Agree returns one for exactly one, else many.
func Agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
