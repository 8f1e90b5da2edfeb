package formats

import "bytes"

// prefix is what loggers, launchers and collectors wrote in front of a line.
type prefix struct {
	// rank is what a launcher or the program wrote there, -1 for none.
	rank int
	// stream distinguishes lines of several processes in one log: the rank that
	// a launcher wrote, -1 for none.
	stream int
	// numbered: it was only "7: ", which may be srun's task or belong to the
	// line.
	numbered bool
	// parameter: DLLogger marks the line as a setting.
	parameter bool
	// dll: DLLogger wrote it.
	dll bool
	// timed: it had a date or a time of day.
	timed bool
}

// maxPrefixes bounds how many prefixes one line may have.
const maxPrefixes = 12

// strip removes all prefixes of loggers, launchers and collectors, for metrics alone.
// For causes unprefix of sources/signatures does it; what a container runtime, kubectl or
// a journal writes around a line is taken off for everybody, by sources/logfeed/frame.go
// and, in files, sources/dump/logsplit.go.
func strip(text []byte) ([]byte, prefix) {
	p := prefix{rank: -1, stream: -1}
	for range maxPrefixes {
		rest := trimBlanks(text)
		if quoted := printedByR(rest); quoted != nil {
			text = quoted
			continue
		}
		n := p.next(rest)
		if n == 0 {
			break
		}
		p.dll = p.dll || bytes.HasPrefix(rest, []byte("DLL "))
		text = trimJoint(rest[n:])
	}
	p.parameter = p.dll && bytes.HasPrefix(text, []byte("PARAMETER"))
	return text, p
}

// printedByR returns the text that print of R wrote with its index and quotes around it, nil
// for other lines: `[1] "[3]:  train's binary_logloss:0.46"`.
func printedByR(text []byte) []byte {
	const index, shortest = `[1] "`, 8
	if len(text) < shortest || text[0] != '[' || !bytes.HasPrefix(text, []byte(index)) {
		return nil
	}
	text = bytes.TrimRight(text[len(index):], " ")
	if n := len(text); n > 0 && text[n-1] == '"' {
		return text[:n-1]
	}
	return nil
}

// trimJoint removes the separators after a prefix.
func trimJoint(text []byte) []byte {
	for len(text) > 0 {
		switch c := text[0]; {
		case c == '|' && text[len(text)-1] == '|': // the row of a box
			return text
		case isBlank(c), c == '|', c == ':', c == '>':
			text = text[1:]
		case c == '-' && len(text) > 1 && isBlank(text[1]):
			text = text[1:]
		default:
			return text
		}
	}
	return text
}

// next returns the length of the prefix with which text begins, 0 for none.
func (p *prefix) next(text []byte) int {
	if len(text) < 3 {
		return 0
	}
	switch c := text[0]; {
	case c == '[':
		return p.bracket(text)
	case c == '(':
		return process(text)
	case isDigit(c):
		if n := timestamp(text); n > 0 {
			p.timed = true
			return n
		}
		if n := p.elapsed(text); n > 0 {
			return n
		}
		if n := address(text); n > 0 {
			return n
		}
		return p.task(text)
	case isUpper(c):
		if n := weekday(text); n > 0 {
			return n
		}
		if n := syslog(text); n > 0 {
			return n
		}
		if n := glog(text); n > 0 {
			return n
		}
		if n := level(text); n > 0 {
			return n
		}
		return p.logger(text)
	case isLetter(c), c == '_':
		return p.logger(text)
	}
	return 0
}

// timestamp parses a date, a time of day, or both.
func timestamp(text []byte) int {
	n := isoDate(text)
	iso := n > 0
	if !iso {
		n = shortDate(text)
	}
	clock := clockLength(text[n:])
	if clock == 0 {
		if iso && (n == len(text) || isBlank(text[n-1])) {
			return n
		}
		return 0
	}
	n += clock
	n += zone(text[n:])
	if n < len(text) && isWordByte(text[n]) {
		return 0
	}
	return n
}

// elapsed parses the time since the start behind the time of day, with the dash behind
// it: "INFO - 03/11/25 12:39:30 - 0:00:47 - " of XLM, SwAV and others of Facebook,
// "1 day, 0:00:47 - ".
func (p *prefix) elapsed(text []byte) int {
	if !p.timed {
		return 0
	}
	n := 0
	for n < len(text) && n < 4 && isDigit(text[n]) {
		n++
	}
	for _, day := range [...]string{" day, ", " days, "} {
		if bytes.HasPrefix(text[n:], []byte(day)) {
			n += len(day)
			for n < len(text) && isDigit(text[n]) {
				n++
			}
			break
		}
	}
	if n == 0 || n+6 > len(text) || text[n] != ':' || !digits(text, n+1, 2) || text[n+3] != ':' || !digits(text, n+4, 2) || !bytes.HasPrefix(text[n+6:], []byte(" - ")) {
		return 0
	}
	return n + 6
}

// isoDate parses "2024-05-07 ", "2024/05/07T", with the separator before a time.
func isoDate(text []byte) int {
	if len(text) < 10 || !digits(text, 0, 4) || !dateJoint(text[4]) || !digits(text, 5, 2) || text[7] != text[4] || !digits(text, 8, 2) {
		return 0
	}
	if len(text) > 10 && (text[10] == 'T' || text[10] == ' ' || text[10] == '_') {
		return 11
	}
	return 10
}

// shortDate parses "05/07 " and "05/07/2024 ", which are dates only before a time.
func shortDate(text []byte) int {
	if len(text) < 6 || !digits(text, 0, 2) || !dateJoint(text[2]) || !digits(text, 3, 2) || !dayAndMonth(atoi(text[:2]), atoi(text[3:5])) {
		return 0
	}
	n := 5
	if text[n] == text[2] {
		for n++; n < len(text) && n < 10 && isDigit(text[n]); n++ {
		}
	}
	if n < len(text) && text[n] == ' ' {
		return n + 1
	}
	return 0
}

func dayAndMonth(a, b int) bool {
	return a > 0 && b > 0 && max(a, b) <= 31 && min(a, b) <= 12
}

// zone parses what may follow a time: "Z", "+00:00", " AM".
func zone(text []byte) int {
	switch {
	case len(text) > 0 && text[0] == 'Z':
		return 1
	case bytes.HasPrefix(text, []byte(" AM")), bytes.HasPrefix(text, []byte(" PM")):
		return 3
	case bytes.HasPrefix(text, []byte(" UTC ")), bytes.HasPrefix(text, []byte(" GMT ")):
		return 4
	case len(text) > 2 && (text[0] == '+' || text[0] == '-') && digits(text, 1, 2):
		n := 1
		for n < len(text) && (isDigit(text[n]) || text[n] == ':') {
			n++
		}
		return n
	}
	return 0
}

func dateJoint(c byte) bool { return c == '-' || c == '/' || c == '.' }

// clockLength parses HH:MM:SS with a fraction.
func clockLength(text []byte) int {
	if len(text) < 8 || !digits(text, 0, 2) || text[2] != ':' || !digits(text, 3, 2) || text[5] != ':' || !digits(text, 6, 2) {
		return 0
	}
	n := 8
	if n+1 < len(text) && (text[n] == '.' || text[n] == ',') && isDigit(text[n+1]) {
		for n++; n < len(text) && isDigit(text[n]); n++ {
		}
	}
	return n
}

func digits(text []byte, at, count int) bool {
	if at+count > len(text) {
		return false
	}
	for _, c := range text[at : at+count] {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// weekday parses "Tue Sep  8 08:32:50 2020" of horovodrun. It leaves the "[1]<stdout>:"
// right after it to bracket.
func weekday(text []byte) int {
	if len(text) < 24 || !isLetter(text[1]) || !isLetter(text[2]) || text[3] != ' ' || text[7] != ' ' {
		return 0
	}
	if clockLength(text[11:]) != 8 || !digits(text, 20, 4) {
		return 0
	}
	return 24
}

// glog parses "I0325 14:01:33.201636 130295542103168 train.py:652] ".
func glog(text []byte) int {
	if !digits(text, 1, 4) || len(text) < 14 || text[5] != ' ' || clockLength(text[6:]) == 0 {
		return 0
	}
	if end := bytes.IndexByte(text[:min(len(text), 120)], ']'); end > 0 {
		return end + 1
	}
	return 0
}

var levels = map[string]bool{
	"INFO": true, "Info": true, "info": true, "WARNING": true, "Warning": true, "WARN": true, "warning": true, "warn": true, "DEBUG": true, "Debug": true, "debug": true,
	"ERROR": true, "Error": true, "error": true, "CRITICAL": true, "FATAL": true, "NOTICE": true, "TRACE": true, "SUCCESS": true, "DLL": true, "inf": true,
}

// level parses INFO, "INFO:root:", "INFO:tensorflow:", "I [".
func level(text []byte) int {
	end := 0
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	if end == 1 && len(text) > 2 && text[1] == ' ' && text[2] == '[' {
		return 1
	}
	if end < 3 || end > 8 || !levels[string(text[:end])] || end < len(text) && isWordByte(text[end]) {
		return 0
	}
	if end < len(text) && text[end] == ':' && lower(text[0]) == 'e' && soleDecimal(text[end+1:]) { // "Error: 9.158" is measured
		return 0
	}
	if end < len(text) && text[end] == ':' { // the name of a logger may follow
		n := end + 1
		for n < len(text) && (isWordByte(text[n]) || text[n] == '.' || text[n] == '-') {
			n++
		}
		if n > end+1 && n < len(text) && text[n] == ':' && (n+1 == len(text) || !isDigit(text[n+1]) || rootLogger(text[end+1:n]) || countsOf(text[n+1:])) {
			return n + 1
		}
	}
	return end
}

// soleDecimal reports whether a text is a number with decimals and nothing else.
func soleDecimal(text []byte) bool {
	text = bytes.Trim(text, " \t")
	_, end, ok := readFloat(text, 0)
	return ok && end == len(text) && bytes.IndexByte(text, '.') >= 0
}

// countsOf reports whether a text begins with n/N, which no line of a source file does.
func countsOf(text []byte) bool {
	at := 0
	for at < len(text) && at < 9 && isDigit(text[at]) {
		at++
	}
	return at > 0 && at+1 < len(text) && text[at] == '/' && isDigit(text[at+1])
}

func rootLogger(name []byte) bool { return string(name) == "root" || string(name) == "__main__" }

// logger parses a name before a level ("mmdet - INFO - "), a dotted name before a colon
// or dash, a process ("rank0[11406][MainThread]: ") and CRI's stream.
func (p *prefix) logger(text []byte) int {
	end := 0
	for end < len(text) && end < 80 && (isWordByte(text[end]) || (text[end] == '.' || text[end] == '-' || text[end] == '/') && end+1 < len(text) && isWordByte(text[end+1])) {
		end++
	}
	if end == 0 || end >= len(text) {
		return 0
	}
	word := text[:end]
	if n := p.host(text, end); n > 0 {
		return n
	}
	if n := p.numberedRank(text, end); n > 0 {
		return n
	}
	if string(word) == "__main__" {
		return sourceEnd(text, end)
	}
	if (string(word) == "stdout" || string(word) == "stderr") && len(text) > end+2 && text[end] == ' ' && (text[end+1] == 'F' || text[end+1] == 'P') && text[end+2] == ' ' {
		return end + 3
	}
	if text[end] == '[' {
		return p.threads(text, end)
	}
	rest := bytes.TrimLeft(text[end:], " -|:")
	if gap := len(text) - end - len(rest); gap > 0 && gap < 16 && len(rest) > 1 && isUpper(rest[0]) && isUpper(rest[1]) {
		if n := level(rest); n > 1 && string(rest[:n]) != "DLL" && len(trimJoint(rest[n:])) > 0 {
			return len(text) - len(rest) + n
		}
	}
	if n := loguru(text, end); n > 0 {
		return n
	}
	dot := bytes.IndexByte(word, '.')
	if dot <= 0 || isDigit(word[dot-1]) || bytes.IndexByte(word, '/') >= 0 || wordPhase(word[:dot]) != phaseNone && len(text) > end+2 && (isDigit(text[end+2]) || text[end+2] == '-') { // "val.loss: 0.5"
		return 0
	}
	return sourceEnd(text, end)
}

// loguru parses "train:main:12 - ", whose module has no dot.
func loguru(text []byte, end int) int {
	if text[end] != ':' {
		return 0
	}
	n := sourceEnd(text, end)
	if n > 3 && bytes.HasSuffix(text[:n], []byte(" - ")) && isDigit(text[n-4]) && bytes.Count(text[:n], []byte(":")) == 2 {
		return n
	}
	return 0
}

// sourceEnd skips ":train_epochs:256 - " after a dotted name, as loguru writes it, or
// only the separator.
func sourceEnd(text []byte, end int) int {
	for end < len(text) && text[end] == ':' && end+1 < len(text) && (isWordByte(text[end+1]) || text[end+1] == '<') {
		for end++; end < len(text) && (isWordByte(text[end]) || text[end] == '<' || text[end] == '>' || text[end] == '.'); end++ {
		}
	}
	rest := text[end:]
	for _, joint := range [...]string{" - ", ": ", " | ", "] "} {
		if bytes.HasPrefix(rest, []byte(joint)) {
			return end + len(joint)
		}
	}
	return 0
}

// threads parses "rank0[11406][MainThread]: " and "python[123]: ".
func (p *prefix) threads(text []byte, name int) int {
	end := name
	for end < len(text) && text[end] == '[' {
		closing := bytes.IndexByte(text[end:min(len(text), end+40)], ']')
		if closing < 0 {
			return 0
		}
		end += closing + 1
	}
	if end+1 >= len(text) || text[end] != ':' || text[end+1] != ' ' {
		return 0
	}
	if rank, ok := rankWord(text[:name]); ok {
		p.rank = rank
		return end + 2
	}
	if containsFold(text[:name], "loss") { // "train_loss[10]: 2.95" is no process
		return 0
	}
	if digits(text, name+1, 2) && string(text[:name]) == string(bytes.ToLower(text[:name])) && text[name+1] != '0' {
		return end + 2
	}
	return 0
}

// process parses Ray's and SkyPilot's "(TaskRunner pid=87031) ", and "(trainer:464) " before a
// level.
func process(text []byte) int {
	end := bytes.IndexByte(text[:min(len(text), 120)], ')')
	if end > 0 && sourceBeforeLevel(text, end) {
		return end + 1
	}
	if end < 0 || !bytes.Contains(text[:end], []byte("pid=")) {
		return 0
	}
	return end + 1
}

// sourceBeforeLevel reports whether the brackets up to end hold a module and a line, with the
// level of the message behind them: "(trainer:464) INFO: ".
func sourceBeforeLevel(text []byte, end int) bool {
	colon := bytes.IndexByte(text[:end], ':')
	if colon < 2 || colon+1 == end || !digits(text, colon+1, end-colon-1) || end+1 >= len(text) || text[end+1] != ' ' {
		return false
	}
	for _, c := range text[1:colon] {
		if !isWordByte(c) && c != '.' {
			return false
		}
	}
	return level(text[end+2:]) > 0
}

// task parses srun's "7: ", the number of the task.
func (p *prefix) task(text []byte) int {
	end := 0
	for end < len(text) && end < 6 && isDigit(text[end]) {
		end++
	}
	if p.numbered || end == 6 || end+1 >= len(text) || text[end] != ':' || text[end+1] != ' ' {
		return 0
	}
	p.numbered = true
	p.setStream(atoi(text[:end]))
	return end + 2
}

func (p *prefix) setStream(n int) {
	p.stream = n
	if p.rank < 0 {
		p.rank = n
	}
}

func atoi(text []byte) int {
	n := 0
	for _, c := range text {
		if n > 1<<24 {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}
