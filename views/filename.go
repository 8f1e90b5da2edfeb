package views

import "strings"

// FileName turns a title into a file's name: nothing in it may name another
// folder.
func FileName(title string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '.':
			return r
		}
		return '-'
	}, title)
	return strings.Trim(safe, ".-")
}
