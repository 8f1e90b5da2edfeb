package formats

import "bytes"

// bracket parses a prefix in brackets, and returns 0 if the brackets belong to the line.
func (p *prefix) bracket(text []byte) int {
	end := bytes.IndexByte(text[:min(len(text), 200)], ']')
	if end < 2 {
		return 0
	}
	inside := bytes.Trim(text[1:end], " ")
	if n := p.tagged(text, inside, end); n > 0 {
		return n
	}
	if n := p.numberedLine(text, inside, end); n > 0 {
		return n
	}
	inside = withoutLocalRank(inside)
	if rank, ok := rankWord(inside); ok {
		p.rank = rank
		if end+1 < len(text) && text[end+1] == ':' && isLower(inside[0]) { // torchrun: [rank0]: [default0]:
			p.stream = rank
		}
		return end + 1
	}
	switch {
	case len(inside) == 0:
		return 0
	case timestamp(inside) > 0, levelAndTime(inside), letterAndTime(inside):
		return end + 1
	case levels[string(inside)]:
		return end + 1
	case bytes.HasPrefix(inside, []byte("pod/")), bytes.HasPrefix(inside, []byte("Pod ")):
		return end + 1
	case bytes.HasPrefix(inside, []byte("PID:")), bytes.HasPrefix(inside, []byte("NeMo ")):
		return end + 1
	case location(inside), loggerName(inside, text[end+1:]):
		return end + 1
	}
	return 0
}

// numberedLine parses "[3] " before a complete metric line: a dict, or a named
// position. It is the number of a process.
func (p *prefix) numberedLine(text, inside []byte, end int) int {
	if p.numbered || len(inside) == 0 || len(inside) > 5 || !digits(inside, 0, len(inside)) || end+2 >= len(text) || !isBlank(text[end+1]) {
		return 0
	}
	rest := trimBlanks(text[end+1:])
	if !startsDict(rest) && !startsPosition(rest) {
		return 0
	}
	p.numbered = true
	p.setStream(atoi(inside))
	return end + 1
}

func startsDict(text []byte) bool {
	return len(text) > 2 && text[0] == '{' && (text[1] == '\'' || text[1] == '"')
}

// startsPosition reports whether text begins like "Epoch 3 ...", "step: 400 ...".
func startsPosition(text []byte) bool {
	for _, name := range [...]string{"epoch", "global_step", "global step", "step", "iteration", "iter"} {
		if !hasFold(text, name) {
			continue
		}
		rest := bytes.TrimLeft(text[len(name):], " :=#[")
		return len(rest) < len(text)-len(name) && len(rest) > 0 && isDigit(rest[0])
	}
	return false
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// tagged parses mpirun's "[1,0]<stderr>:" and horovodrun's "[1]<stdout>:".
func (p *prefix) tagged(text, inside []byte, end int) int {
	rest := text[end+1:]
	if !bytes.HasPrefix(rest, []byte("<std")) {
		return 0
	}
	closing := bytes.IndexByte(rest[:min(len(rest), 12)], '>')
	if closing < 0 {
		return 0
	}
	if comma := bytes.IndexByte(inside, ','); comma >= 0 {
		inside = inside[comma+1:]
	}
	inside = bytes.TrimPrefix(inside, []byte("mpirank:"))
	n := 0
	for n < len(inside) && isDigit(inside[n]) {
		n++
	}
	if n == 0 {
		return 0
	}
	p.stream = atoi(inside[:n])
	p.rank = p.stream
	return end + 1 + closing + 1
}

// withoutLocalRank cuts "|0" off "trainer3|0", as torchrun's template of prefixes
// ("[${role_name}${rank}|${local_rank}]:") gives it.
func withoutLocalRank(word []byte) []byte {
	bar := bytes.IndexByte(word, '|')
	if bar > 0 && bar+1 < len(word) && digits(word, bar+1, len(word)-bar-1) {
		return word[:bar]
	}
	return word
}

// rankWord parses "rank0", "Rank 3", "RANK:0", "default7", "R0".
func rankWord(word []byte) (int, bool) {
	for _, name := range [...]string{"rank", "default", "local_rank", "r", "gpu", "cuda", "trainer", "worker", "proc"} {
		if !hasFold(word, name) {
			continue
		}
		rest := bytes.TrimLeft(word[len(name):], " :=#")
		if len(rest) > 0 && len(rest) < 7 && digits(rest, 0, len(rest)) && (name != "r" || word[0] == 'R') {
			return atoi(rest), true
		}
	}
	return 0, false
}

// loggerName recognises Hydra's "[__main__][INFO]" and torchtitan's "[titan] 2024-...".
func loggerName(inside, rest []byte) bool {
	for _, c := range inside {
		if !isWordByte(c) && c != '.' {
			return false
		}
	}
	if len(rest) == 0 || isDigit(inside[0]) {
		return false
	}
	if rest[0] == '[' {
		closing := bytes.IndexByte(rest[:min(len(rest), 10)], ']')
		return closing > 0 && levels[string(rest[1:closing])]
	}
	return rest[0] == ' ' && timestamp(rest[1:]) > 0
}

// levelAndTime recognises "INFO 2020-06-08 05:26:19".
func levelAndTime(inside []byte) bool {
	n := level(inside)
	return n > 1 && timestamp(bytes.TrimLeft(inside[n:], " ")) > 0
}

// letterAndTime recognises "I 210629 00:29:43 models:110" of Tornado's and logzero's formatters,
// and "I 12:00:01.123 NotebookApp" of Jupyter: the letter of a level, a date of six digits or
// none, a time and what logs.
func letterAndTime(inside []byte) bool {
	if len(inside) < len("I 00:00:00 a") || inside[1] != ' ' || bytes.IndexByte([]byte("DIWECF"), inside[0]) < 0 {
		return false
	}
	rest := inside[2:]
	if digits(rest, 0, 6) && rest[6] == ' ' {
		rest = rest[7:]
	}
	n := max(clockLength(rest), timestamp(rest))
	return n > 0 && n+1 < len(rest) && rest[n] == ' ' && isLetter(rest[n+1])
}

// location recognises "logging.py:96:log_dist", "INFO|trainer.py:1143",
// "axolotl.train:63": words, dots, and a line number after a colon.
func location(inside []byte) bool {
	colon := bytes.IndexByte(inside, ':')
	if colon <= 0 || colon+1 >= len(inside) {
		return false
	}
	if !isDigit(inside[colon+1]) && inside[colon+1] != '<' {
		return bytes.IndexByte(inside, '=') < 0 && bytes.Contains(inside, []byte(".py"))
	}
	for _, c := range inside[:colon] {
		if !isWordByte(c) && c != '.' && c != '|' && c != '-' && c != '/' && c != '<' && c != '>' {
			return false
		}
	}
	return bytes.IndexByte(inside[:colon], '.') > 0
}
