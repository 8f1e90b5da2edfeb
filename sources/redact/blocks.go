package redact

import "strings"

// Values on the lines below their name: YAML's block scalars and lists, also in a
// text whose newlines are escaped (\n).

// maxBlock is how many lines below a name are scanned.
const maxBlock = 400

// below masks the lines below a name, if the value begins a block or the name's
// line is empty after it. It reports whether that is so.
func (f *finder) below(text string, from, at int, s setting) bool {
	newline, block := blockHeader(text, at)
	if newline == "" {
		return false
	}
	indent, at := indentOf(text, from, newline), at+strings.Index(text[at:], newline)+len(newline)
	if !block && f.behindPrefix(text, from, at, s) {
		return true
	}
	for n := 0; n < maxBlock; n++ {
		end, last := lineOf(text, at, newline)
		start := at
		for start < end && text[start] == ' ' {
			start++
		}
		switch {
		case !f.spend(end - at):
			return true
		case start == end && !last:
		case block && start-at <= indent, !block && !f.item(text, start, end, start-at-indent, s):
			return true
		case block && s.masksLine(text[start:end]):
			f.add(start, end, s.kind)
		}
		if last {
			return true
		}
		at = end + len(newline)
	}
	return true
}

// blockHeader returns the newline before a value that begins on the next line, ""
// if there is none, and whether the value is a block scalar (YAML 1.2, chapter 8.1).
func blockHeader(text string, at int) (newline string, block bool) {
	if block = at < len(text) && (text[at] == '|' || text[at] == '>'); block {
		for at++; at < len(text) && (isDigit(text[at]) || text[at] == '+' || text[at] == '-'); at++ {
		}
		if at = blanks(text, at); at < len(text) && text[at] == '#' {
			at = lineEnd(text, at)
		}
	}
	if hasPrefix(text[at:], "\\\n") { // a shell's line that goes on
		return "\n", block
	}
	return newlineAt(text, at), block
}

// newlineAt returns the newline at an offset, escaped or not, "" if there is none.
func newlineAt(text string, at int) string {
	end := at
	for end < len(text) && (text[end] == '\r' || text[end] == '\\') {
		end++
	}
	switch {
	case end < len(text) && text[end] == '\n' && strings.IndexByte(text[at:end], '\\') < 0:
		return text[at : end+1]
	case end == at || text[at] != '\\' || end == len(text):
		return ""
	case text[end] == 'n':
		return text[at : end+1]
	case text[end] == 'r' && end+1 < len(text) && text[end+1] == '\\':
		if rest := newlineAt(text, end+1); rest != "" {
			return text[at : end+1+len(rest)]
		}
	}
	return ""
}

// indentOf returns the indentation of a name's line, including the dash of a list.
func indentOf(text string, at int, newline string) int {
	begin := at - lineBefore(text, at)
	if newline[0] == '\\' {
		if before := strings.LastIndex(text[begin:at], newline); before >= 0 {
			begin += before + len(newline)
		} else if quote := strings.LastIndexByte(text[begin:at], '"'); quote >= 0 {
			begin += quote + 1
		}
	}
	end := begin
	for end < at && (text[end] == ' ' || text[end] == '-' && text[end+1] == ' ') {
		end++
	}
	return end - begin
}

// lineOf returns where a line ends, and whether the text or its literal ends there.
func lineOf(text string, at int, newline string) (end int, last bool) {
	most := min(len(text), at+maxValue)
	end = most
	if next := strings.Index(text[at:most], newline); next >= 0 {
		end = at + next
	} else {
		last = true
	}
	if newline[0] == '\\' {
		if quote := strings.IndexByte(text[at:end], '"'); quote >= 0 {
			return at + len(strings.TrimRight(text[at:at+quote], `\`)), true
		}
	}
	return end, last
}

// masksLine decides whether a line of a block is secret.
func (s *setting) masksLine(line string) bool {
	line = strings.TrimRight(line, " \r")
	if s.class == certain {
		return !isPlaceholder(line) && !isName(line)
	}
	return s.class == doubtful && looksRandomUnder(s.kind, line) || s.class == long && isLongSecret(line)
}

// item masks an item of a list below a name, or a value alone on the next line,
// and reports whether the line was an item. Fields of objects are neither.
func (f *finder) item(text string, start, end, deeper int, s setting) bool {
	dash := hasPrefix(text[start:end], "- ")
	if dash {
		start = blanks(text, start+2)
	} else if from, to, found := memberAt(text, start); found && deeper > 0 && s.class == certain && to <= end && !isPlaceholder(text[from:to]) {
		f.add(from, to, s.kind) // redisPassword: and value: X below it
		return false
	} else if deeper < 0 || deeper == 0 && !s.isBelow(text[start:end]) && !(s.quoted && quoteAt(text, start) != 0) {
		return false
	}
	from, to, quoted := valueAt(text, start)
	to = min(to, end)
	rest := to
	if quoted {
		rest, _ = closing(text, to)
	}
	behind := " \r\"')]}"
	if quoted {
		behind += ","
	}
	if from >= to || strings.Trim(text[min(rest, end):end], behind) != "" || !quoted && strings.HasSuffix(text[from:to], ":") {
		return false
	}
	value := text[from:to]
	if s.masksLine(value) && !number(value) && (dash || quoted || isInvented(value) && !strings.ContainsAny(strings.TrimRight(value, "="), `()[]{},;'"=`)) {
		f.add(from, to, s.kind)
	}
	return dash
}

// isBelow reports whether a line as deep as the name above it is its value: one
// word that looks made up, below a doubtful name one that a machine drew.
func (s *setting) isBelow(line string) bool {
	line = strings.TrimRight(line, " \r")
	if len(line) < 6 || strings.ContainsAny(strings.TrimRight(line, "="), ` :=()[]{},;"'/`) {
		return false
	}
	switch s.class {
	case certain:
		return s.kind == NamedPassword && drawnOrMixed(line) && isInvented(line) || isMadeUp(line) || random(line)
	case doubtful:
		return !s.cached && looksRandomUnder(s.kind, line)
	}
	return false
}

// behindPrefix masks the value on the line below a name, where both lines begin
// alike, with digits of their own: with a time, a rank, a level.
func (f *finder) behindPrefix(text string, from, at int, s setting) bool {
	if from > 0 && (text[from-1] == '"' || text[from-1] == '\'') {
		from--
	}
	prefix := text[from-lineBefore(text, from) : from]
	if strings.TrimSpace(prefix) == "" || at+len(prefix) >= len(text) || !f.spend(len(prefix)) {
		return false
	}
	for i := range len(prefix) {
		if c := text[at+i]; c != prefix[i] && !(isDigit(c) && isDigit(prefix[i])) {
			return false
		}
	}
	start := at + len(prefix)
	for start < len(text) && text[start] == ' ' {
		start++
	}
	end := lineEnd(text, start)
	from, to, quoted := valueAt(text, start)
	if quoted && to <= end && s.masksLine(text[from:to]) {
		f.add(from, to, s.kind)
		return true
	}
	line := strings.TrimRight(text[start:end], " ,")
	if !s.isBelow(line) {
		return false
	}
	f.add(start, start+len(line), s.kind)
	return true
}
