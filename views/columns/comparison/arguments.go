package comparison

import (
	"strings"
)

// programSetting is the name of what is left of a command line without its
// flags.
const programSetting = "program"

// commandLine is the flags of a command line, in order, and its other words.
type commandLine struct {
	names  []string
	values map[string]string
	rest   []string
}

// arguments reads a command line: "--lr 3e-4", "--lr=3e-4", "-x", the
// "trainer.lr=3e-4" of Hydra and the words before a program in a shell. A text
// of several words is one that a shell gets.
func arguments(line []string) *commandLine {
	c := &commandLine{values: map[string]string{}}
	var all []string
	begins := map[int]bool{} // where the text for a shell begins: no value of the flag before it
	for _, text := range line {
		if strings.ContainsAny(text, " \t\n") {
			begins[len(all)] = true
			all = append(all, shellWords(text)...)
		} else {
			all = append(all, text)
		}
	}
	for i := 0; i < len(all); i++ {
		word := all[i]
		name, value, joined := strings.Cut(word, "=")
		switch {
		case isFlag(word) && joined:
			c.set(name, value)
		case isFlag(word) && i+1 < len(all) && isValue(all[i+1]) && !begins[i+1]:
			i++
			c.set(word, all[i])
		case isFlag(word):
			c.set(word, "(set)")
		case joined && isOverride(name):
			c.set(name, value)
		case word != "" && word != `\`:
			c.rest = append(c.rest, word)
		}
	}
	return c
}

func (c *commandLine) set(name, value string) {
	if strings.HasPrefix(name, "--") {
		name = strings.ReplaceAll(name, "_", "-")
	}
	before, known := c.values[name]
	if !known {
		c.names = append(c.names, name)
	} else if before != value {
		value = before + " " + value
	}
	c.values[name] = value
}

// put hands out the flags and the rest.
func (c *commandLine) put(to func(name, value string)) {
	for _, name := range c.names {
		to(name, c.values[name])
	}
	if len(c.rest) > 0 {
		to(programSetting, strings.Join(c.rest, " "))
	}
}

// isFlag reports whether a word is the name of a flag, not a negative number.
func isFlag(word string) bool {
	name := strings.TrimLeft(word, "-")
	return len(word)-len(name) >= 1 && len(word)-len(name) <= 2 && name != "" && isLetter(name[0])
}

// isValue reports whether a word can be the value of the flag before it.
func isValue(word string) bool {
	return word != "" && !isFlag(word) && word != "--" && !strings.ContainsAny(word[:1], `|;&<>\`)
}

// isOverride reports whether a word before "=" is a name.
func isOverride(name string) bool {
	name = strings.TrimLeft(name, "+~")
	if name == "" || !isLetter(name[0]) {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/@") == ""
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' }

// shellWords splits a text at blanks outside of quotes. It is no shell: nothing
// is expanded.
func shellWords(text string) []string {
	var all []string
	var word strings.Builder
	begun, quote := false, rune(0)
	end := func() {
		if begun {
			all = append(all, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n' || r == '\r'):
			end()
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	return all
}
