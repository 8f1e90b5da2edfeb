package formats

import "bytes"

// hostWords are words in names of machines and pods.
var hostWords = map[string]bool{
	"node": true, "worker": true, "host": true, "trainer": true, "pod": true, "gpu": true, "machine": true,
	"master": true, "launcher": true, "server": true, "algo": true, "ip": true, "slurm": true, "compute": true,
}

// host parses the name of a machine as pdsh, Docker Compose and SageMaker prefix it:
// "node1: ", "ip-10-0-0-1: ", "worker-0  | ". The name is text[:end].
func (p *prefix) host(text []byte, end int) int {
	if !isDigit(text[end-1]) {
		return 0
	}
	rest := bytes.TrimLeft(text[end:], " ")
	gap := len(text) - end - len(rest)
	colon := gap == 0 && bytes.HasPrefix(rest, []byte(": "))
	column := gap > 0 && bytes.HasPrefix(rest, []byte("| "))
	if !colon && !column {
		return 0
	}
	name := bytes.TrimRight(text[:end], "0123456789")
	known := false
	for part := range bytes.FieldsFuncSeq(name, nameJoint) {
		known = known || hostWords[string(part)]
	}
	if !known {
		return 0
	}
	if len(name) < end {
		p.stream = atoi(text[len(name):end])
	}
	return end + gap + 2
}

func nameJoint(r rune) bool { return r == '-' || r == '_' || r == '/' || '0' <= r && r <= '9' }

// address parses "10.0.0.1: ".
func address(text []byte) int {
	dots, n := 0, 0
	for n < len(text) && n < 16 && (isDigit(text[n]) || text[n] == '.') {
		if text[n] == '.' {
			dots++
		}
		n++
	}
	if dots != 3 || !bytes.HasPrefix(text[n:], []byte(": ")) {
		return 0
	}
	return n + 2
}

// numberedRank parses "Rank 0 | " and "rank 3: ". The word is text[:end].
func (p *prefix) numberedRank(text []byte, end int) int {
	if end != len("rank") || text[end] != ' ' && text[end] != '=' || !hasFold(text, "rank") {
		return 0
	}
	n := end + 1
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	if n == end+1 || n > end+6 || !bytes.HasPrefix(text[n:], []byte(": ")) && !bytes.HasPrefix(text[n:], []byte(" | ")) && (text[end] != '=' || n >= len(text) || text[n] != ' ') {
		return 0
	}
	p.rank = atoi(text[end+1 : n])
	return n
}

// syslog parses "Mar 14 10:00:00 gpu01 python[123]: ", complete or in part.
func syslog(text []byte) int {
	if len(text) < 15 || text[3] != ' ' || text[6] != ' ' || !isDigit(text[5]) || !months[string(text[:3])] {
		return 0
	}
	clock := clockLength(text[7:])
	if clock == 0 {
		return 0
	}
	n := 7 + clock
	rest := text[n:min(len(text), n+120)] // the host, and the process with its id
	if end := bytes.Index(rest, []byte("]: ")); end > 0 && bytes.Count(rest[:end], []byte(" ")) == 2 {
		n += end + 2
	}
	return n
}

var months = map[string]bool{
	"Jan": true, "Feb": true, "Mar": true, "Apr": true, "May": true, "Jun": true,
	"Jul": true, "Aug": true, "Sep": true, "Oct": true, "Nov": true, "Dec": true,
}
