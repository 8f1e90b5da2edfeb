package draw

import (
	"strings"

	"github.com/traintop/traintop/themes"
)

// LogLevel is the severity of a line of a log.
type LogLevel uint8

const (
	LevelNone LogLevel = iota // the line names none
	LevelDebug
	LevelInfo
	LevelWarning
	LevelError
)

// Role is how a line of the level is drawn.
func (l LogLevel) Role() themes.Role {
	switch l {
	case LevelDebug:
		return themes.Dim
	case LevelWarning:
		return themes.Waiting
	case LevelError:
		return themes.Bad
	}
	return themes.Text
}

// levelWithin is how far into a line its level is searched.
const levelWithin = 300

// LevelOf finds the level in the plain text of a line. The first word that
// names one decides:
//   - a level in capitals (ERROR, WARNING, ...), at any place;
//   - a level in any letters where only a level can be: after level= or
//     severity=, after [ or <, at the beginning of the line before a colon;
//   - glog's and klog's letter (E1120 08:50:00, [W1120, [E Process...);
//   - Python's header of a traceback, and the name of an exception or a
//     warning before a colon (ValueError: ..., UserWarning: ...).
func LevelOf(plain string) LogLevel {
	if len(plain) > levelWithin {
		plain = plain[:levelWithin]
	}
	for i := 0; i < len(plain); {
		if !letter(plain[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(plain) && (letter(plain[end]) || plain[end] >= '0' && plain[end] <= '9') {
			end++
		}
		if level := wordLevel(plain, i, end); level != LevelNone {
			return level
		}
		i = end
	}
	return LevelNone
}

// wordLevel is the level that the word from i to end names.
func wordLevel(plain string, i, end int) LogLevel {
	word := plain[i:end]
	if len(word) < 4 {
		return letterLevel(plain, i, end)
	}
	if word[0]|0x20 == word[0] || word[1]|0x20 == word[1] {
		if level := exceptionLevel(plain, i, end); level != LevelNone {
			return level
		}
		if !asLevel(plain, i, end) {
			return letterLevel(plain, i, end)
		}
	}
	if len(word) <= len("CRITICAL") {
		if level := namedLevel(word); level != LevelNone {
			return level
		}
	}
	return letterLevel(plain, i, end)
}

// namedLevel is a level by its name in any letters.
func namedLevel(word string) LogLevel {
	switch {
	case anyFold(word, "ERROR", "FATAL", "CRITICAL", "PANIC", "SEVERE", "EMERG", "ERR"):
		return LevelError
	case anyFold(word, "WARNING", "WARN"):
		return LevelWarning
	case anyFold(word, "INFO", "NOTICE"):
		return LevelInfo
	case anyFold(word, "DEBUG", "TRACE", "VERBOSE"):
		return LevelDebug
	}
	return LevelNone
}

func anyFold(word string, names ...string) bool {
	for _, name := range names {
		if len(name) == len(word) && strings.EqualFold(name, word) {
			return true
		}
	}
	return false
}

// asLevel reports whether a word that is not in capitals is where only a level
// can be.
func asLevel(plain string, i, end int) bool {
	before := strings.TrimRight(plain[:i], `"' `)
	if before == "" {
		return end < len(plain) && plain[end] == ':'
	}
	switch before[len(before)-1] {
	case '[', '<':
		return end < len(plain) && (plain[end] == ']' || plain[end] == '>')
	case '=', ':':
		key := strings.TrimRight(before[:len(before)-1], `"' `)
		return endsFold(key, "level") || endsFold(key, "severity") || endsFold(key, "lvl") || endsFold(key, "levelname")
	}
	return false
}

func endsFold(text, end string) bool {
	return len(text) >= len(end) && strings.EqualFold(text[len(text)-len(end):], end)
}

// exceptionLevel is that of the name of an exception or a warning class.
func exceptionLevel(plain string, i, end int) LogLevel {
	word, after := plain[i:end], plain[end:]
	switch {
	case word == "Traceback" && strings.HasPrefix(after, " (most recent call last)"):
		return LevelError
	case word == "Segmentation" && strings.HasPrefix(after, " fault"):
		return LevelError
	case after != "" && after[0] != ':':
		return LevelNone
	case len(word) > len("Error") && (strings.HasSuffix(word, "Error") || strings.HasSuffix(word, "Exception")):
		return LevelError
	case len(word) > len("Warning") && strings.HasSuffix(word, "Warning"):
		return LevelWarning
	}
	return LevelNone
}

// letterLevel is that of glog, klog and c10: a letter before month and day at
// the beginning or after "[", or alone after "[".
func letterLevel(plain string, i, end int) LogLevel {
	begins := i == 0 || plain[i-1] == '['
	if !begins || end >= len(plain) || plain[end] != ' ' {
		return LevelNone
	}
	if alone := end-i == 1; alone && i == 0 || !alone && end-i != len("E1120") {
		return LevelNone
	}
	for _, c := range plain[i+1 : end] {
		if c < '0' || c > '9' {
			return LevelNone
		}
	}
	switch plain[i] {
	case 'E', 'F', 'C':
		return LevelError
	case 'W':
		return LevelWarning
	case 'I':
		return LevelInfo
	case 'D', 'V':
		return LevelDebug
	}
	return LevelNone
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
