package redact

import (
	"slices"
	"strings"
	"sync"
)

// maxArguments is how many arguments of a command line are read.
const maxArguments = 64

// look returns the matcher that is called where a command's first word occurs.
func (c *command) look() func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		end := at + len(strings.TrimRight(c.words[0], " "))
		if end >= len(text) || at < f.skip || at > 0 && inName(text[at-1]) && !starts(text, at) {
			return
		}
		if newlineAt(text, end) != "" {
			f.followBelow(text, at, end, argumentReader{command: c, verbs: c.words[1:]})
			return
		}
		list := quoteAt(text, end) > 0
		if !list && text[end] != ' ' {
			return
		}
		f.follow(text, end, list, argumentReader{command: c, verbs: c.words[1:]})
	}
}

// follow reads the arguments of a program: on a shell's line, or in a list of
// quoted texts.
func (f *finder) follow(text string, at int, list bool, r argumentReader) {
	for range maxArguments {
		start := blanks(text, at)
		if hasPrefix(text[start:], "\\\n") && !list { // a shell's line that goes on
			start = blanks(text, start+2)
		}
		if list {
			end, closed := closing(text, at)
			start = blanks(text, end)
			if !closed || start >= len(text) || text[start] != ',' {
				return
			}
			start = blanks(text, start+1)
		} else if start == at || start >= len(text) || strings.IndexByte("\n\r|;&", text[start]) >= 0 {
			return
		}
		from, to, quoted := valueAt(text, start)
		if from == to && !quoted || list && !quoted || !f.spend(to-start) {
			return
		}
		if !list && joinsPart(text, start, from, to, quoted, &r) {
			at = f.readJoined(text, start, &r)
			continue
		}
		r.read(f, text, from, to)
		if at = to; quoted && !list {
			at, _ = closing(text, to)
		}
	}
}

// argumentReader reads the arguments of one command.
type argumentReader struct {
	*command
	verbs  []string // verbs not yet read
	before string   // the previous option, if it takes a value
	place  int
	// awaited is the index of the argument that an earlier word marked as secret.
	awaited int
}

// read reads the next argument and masks the secret in it.
func (r *argumentReader) read(f *finder, text string, from, to int) {
	if start, end := r.secretIn(text[from:to]); end > start {
		r.mask(f, text, from+start, from+end, r.kind)
	}
}

func (r *argumentReader) mask(f *finder, text string, from, to int, kind Kind) {
	if value := text[from:to]; !isPlaceholder(value) && !isName(value) {
		f.add(from, to, kind)
	}
}

// secretIn returns the range of the secret in the next argument, an empty one for none.
func (r *argumentReader) secretIn(argument string) (from, to int) {
	option := r.before
	r.before = ""
	switch {
	case len(r.verbs) > 0:
		if strings.EqualFold(argument, r.verbs[0]) {
			r.verbs = r.verbs[1:]
		}
		return 0, 0
	case option != "" && !strings.HasPrefix(argument, "-"):
		return r.valueOf(option, argument)
	case strings.HasPrefix(argument, "-"):
		return r.option(argument)
	}
	r.place++
	for _, p := range r.prefixed {
		if strings.HasPrefix(argument, p.prefix) {
			r.awaited = r.place + p.later
		}
	}
	if r.slashed && r.place == 1 {
		return slashed(argument)
	}
	if r.awaited > 0 && r.place == r.awaited {
		return 0, len(argument)
	}
	if r.marks != "" && argument != "" && strings.IndexByte(r.marks, argument[0]) >= 0 && (!r.wary || drawnOrMixed(argument[1:])) {
		return 1, len(argument)
	}
	if !slices.Contains(r.places, r.place) || r.wary && !drawnOrMixed(argument) || strings.Contains(argument, "://") {
		return 0, 0
	}
	return 0, len(argument)
}

// option reads an option, and the value that it contains.
func (r *argumentReader) option(argument string) (from, to int) {
	name, value, has := strings.Cut(argument, "=")
	if r.takes(name) {
		if !has {
			r.before = name
			return 0, 0
		}
		from, to = r.valueOf(name, value)
		return from + len(name) + 1, to + len(name) + 1
	}
	for _, g := range r.glued {
		option := strings.TrimRight(g, ":")
		if len(argument) <= len(option) || argument[:len(option)] != option {
			continue
		}
		if option != g { // name:password
			colon := strings.IndexByte(argument, ':')
			return colon + 1, max(colon+1, len(argument)*min(1, colon+1))
		}
		return len(option), len(argument)
	}
	return 0, 0
}

func (r *argumentReader) takes(option string) bool {
	return slices.Contains(r.whole, option) || slices.Contains(r.skip, option) || r.mark(option) != ""
}

// mark is the character after which the secret begins in the value of an option, "" for none.
func (r *argumentReader) mark(option string) string {
	for _, h := range r.half {
		if h[:len(h)-1] == option {
			return h[len(h)-1:]
		}
	}
	return ""
}

func (r *argumentReader) valueOf(option, value string) (from, to int) {
	if mark := r.mark(option); mark != "" {
		at := strings.Index(value, mark)
		if at < 0 {
			return 0, 0
		}
		return at + 1, len(value)
	}
	if slices.Contains(r.whole, option) {
		return 0, len(value)
	}
	return 0, 0
}

// readJoined reads the next argument where a shell joins parts in quotes and without
// to one word (-p="x", ada:'x', "ada":"x"), and returns where the word ends.
func (f *finder) readJoined(text string, start int, r *argumentReader) (end int) {
	var word strings.Builder
	var parts []cut
	var from, to int
	for at := start; at < len(text) && len(parts) < maxArguments; {
		var quoted bool
		if from, to, quoted = valueAt(text, at); !f.spend(to - at) {
			break
		}
		parts = append(parts, cut{word.Len(), from - word.Len()})
		word.WriteString(strings.TrimSuffix(text[from:to], ansiQuote(text, to, quoted)))
		joins := joinsPart(text, start, from, to, quoted, r)
		if at = to; quoted {
			at, _ = closing(text, to)
		}
		if end = at; !joins {
			break
		}
	}
	argument := word.String()
	if begin, close := r.secretIn(argument); close > begin && !isPlaceholder(argument[begin:close]) && !isName(argument[begin:close]) {
		f.add(originalOf(parts, begin), originalOf(parts, close-1)+1, r.kind)
	}
	return end
}

// originalOf maps an offset of a joined word back to the text.
func originalOf(parts []cut, at int) int {
	last := 0
	for i, part := range parts {
		if part.at <= at {
			last = i
		}
	}
	return at + parts[last].moved
}

// ansiQuote returns the $ that ends a part without quotes before the shell's $'...'.
func ansiQuote(text string, to int, quoted bool) string {
	if !quoted && quoteAt(text, to) > 0 {
		return "$"
	}
	return ""
}

// joinsPart reports whether another part of a shell's word follows the one at
// from..to. A quote behind a part without quotes may also close what is around the
// command: it opens a part behind a mark and behind an option that has its value attached.
func joinsPart(text string, start, from, to int, quoted bool, r *argumentReader) bool {
	if !quoted {
		n := quoteAt(text, to)
		inner := to + n
		return n > 0 && to > from && inner < len(text) && strings.IndexByte(" \t\r\n,;)]}", text[inner]) < 0 &&
			(strings.IndexByte("=:,%$", text[to-1]) >= 0 || r.glues(text[start:to]))
	}
	at, closed := closing(text, to)
	switch {
	case !closed || at >= len(text):
		return false
	case text[at] == ':', text[at] == '=', text[at] == '%', text[at] == ',':
		return at+1 < len(text) && (isAlnum(text[at+1]) || quoteAt(text, at+1) > 0) && quoteAt(text, start) == quoteAt(text, to)
	case text[at] == '\'', text[at] == '"':
		return text[at] != text[to] && at+1 < len(text) && isAlnum(text[at+1])
	}
	return isAlnum(text[at]) || strings.IndexByte("-_$@+", text[at]) >= 0
}

// glues reports whether an argument is an option with its value attached.
func (r *argumentReader) glues(argument string) bool {
	return len(r.verbs) == 0 && (slices.Contains(r.glued, argument) || slices.Contains(r.glued, argument+":"))
}

// drawnOrMixed reports whether a word is unlikely in a sentence: it mixes digits
// and letters, or is long.
func drawnOrMixed(value string) bool {
	return !number(value) && (strings.ContainsAny(value, "0123456789") || len(value) >= 20)
}

// byProgram maps the first word of a command to the commands.
var byProgram = sync.OnceValue(func() map[string][]*command {
	all := map[string][]*command{}
	for i := range commands {
		program := strings.TrimRight(commands[i].words[0], " ")
		all[program] = append(all[program], &commands[i])
	}
	return all
})
