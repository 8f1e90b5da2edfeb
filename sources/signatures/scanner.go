package signatures

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Scanner reads the lines of one log in order. Only one goroutine may use it.
//
// A line without an anchor of the table costs one pass over its bytes, unless it
// may belong to a traceback or a report.
type Scanner struct {
	where    Where
	list     *list
	found    []uint16
	plain    []byte
	short    []byte
	uncurled []byte
	quoted   []byte
	hits     []train.LogHit
	folded   folded
	cutting  cutting
	before   []train.LogHit // of a message that this line showed to be complete
	weighed  map[string]cachedMatch
	joined   []train.LogHit // with hits in lines that were cut

	object   string // whose description is being read
	speakers map[string]*writer
	blocks   bool // Ray's report of ranks has begun
	open     int  // speakers with an open traceback or report
}

// shortLine is the length below which a line is scanned with spaces appended.
const shortLine = 16

// endsInKilled reports whether a line ends like a shell's message about its child, alone
// or behind a bar; the anchor includes the character after it.
func endsInKilled(text []byte) bool {
	before, is := bytes.CutSuffix(text, []byte("Killed"))
	return is && len(before) > 0 && (before[len(before)-1] == ' ' || before[len(before)-1] == ']')
}

// maxSpeakers bounds how many speakers are distinguished.
const maxSpeakers = 256

// NewScanner makes a scanner for one log. where selects the signatures: those of a
// container's log, or with InAnyText those of a file of unknown kind.
func NewScanner(where Where) *Scanner {
	return &Scanner{where: where, list: table(), speakers: map[string]*writer{}, weighed: map[string]cachedMatch{}}
}

// Line scans the next complete line and returns the hits that it completes; usually
// none. It does not keep text; the hits are valid until the next call.
func (s *Scanner) Line(number int64, at time.Time, text []byte) []train.LogHit {
	if s.where&InEvent == 0 {
		return s.line(number, at, text)
	}
	s.noteObject(text)
	hits := s.nameObjects(s.unfolded(number, at, text))
	if len(s.cutting.text) == 0 && len(text) < max(s.cutting.width, minCutWidth) {
		return hits
	}
	if hit, found := s.uncut(number, at, text, hits); found {
		s.joined = append(append(s.joined[:0], hits...), hit)
		return s.nameObjects(s.joined)
	}
	return hits
}

func (s *Scanner) line(number int64, at time.Time, text []byte) []train.LogHit {
	text = unmarked(text)
	written := text
	if len(text) < shortLine || endsInKilled(text) {
		s.short = append(append(s.short[:0], text...), "        "...)
		text = s.short // "Killed" alone: the anchor includes the next character
	}
	text = s.unquoted(s.straight(text))
	if s.where&InEvent != 0 {
		text = s.singleQuoted(text)
	}
	s.found = s.list.anchors.find(text, s.found[:0])
	if name := startRow(text); name != "" {
		s.found = append(s.found, uint16(s.list.places[name]))
	}
	if len(s.found) == 0 && s.open == 0 {
		return nil
	}
	if left := WithoutData(written); len(left) != len(written) {
		return s.line(number, at, left)
	}
	if s.headFound() {
		if lines := tracebackIn(written); lines != nil {
			return s.escaped(number, at, written, lines)
		}
	}
	return s.scanLine(number, at, text)
}

// headFound reports whether the line contains the head of a traceback.
func (s *Scanner) headFound() bool { return s.isFound(partTraceback) }

func (s *Scanner) isFound(p part) bool {
	return slices.ContainsFunc(s.found, func(at uint16) bool { return s.list.rules[at].part == p })
}

// escaped scans the lines of a traceback that one line contains, as if the program
// had printed each after that line's prefix.
func (s *Scanner) escaped(number int64, at time.Time, written []byte, lines []string) []train.LogHit {
	by := bytes.Clone(unprefix(written).by)
	var hits []train.LogHit
	for _, line := range lines {
		hits = append(hits, s.line(number, at, append(slices.Clip(by), line...))...)
	}
	return hits
}

// escapedQuote occurs in a message inside JSON or Go's %q.
var escapedQuote = []byte(`\"`)

// unmarked removes the Markdown around a line that is bold or code.
func unmarked(text []byte) []byte {
	if len(text) == 0 || text[0] != '*' && text[0] != '`' {
		return text
	}
	mark := text[:1]
	if text[0] == '*' {
		mark = []byte("**")
	}
	inner, whole := bytes.CutSuffix(bytes.TrimRight(text[1:], " \t\r"), mark)
	inner, begins := bytes.CutPrefix(inner, mark[1:])
	if !whole || !begins || len(inner) == 0 || inner[0] == mark[0] {
		return text
	}
	return inner
}

// curled begins the curly quotation marks that a page or a chat inserts: U+2018,
// U+2019, U+201C and U+201D in UTF-8.
var curled = []byte("\xe2\x80")

// straight replaces curly quotation marks by straight ones, which programs print.
func (s *Scanner) straight(text []byte) []byte {
	at := bytes.Index(text, curled)
	if at < 0 {
		return text
	}
	s.uncurled = s.uncurled[:0]
	for ; at >= 0; at = bytes.Index(text, curled) {
		s.uncurled = append(s.uncurled, text[:at]...)
		text = text[at:]
		switch {
		case len(text) > 2 && (text[2] == 0x98 || text[2] == 0x99):
			s.uncurled, text = append(s.uncurled, '\''), text[3:]
		case len(text) > 2 && (text[2] == 0x9c || text[2] == 0x9d):
			s.uncurled, text = append(s.uncurled, '"'), text[3:]
		default:
			s.uncurled, text = append(s.uncurled, text[:2]...), text[2:]
		}
	}
	s.uncurled = append(s.uncurled, text...)
	return s.uncurled
}

var doubledApostrophe = []byte("''")

// unquoted removes the backslashes before quotes, which restores the message of the
// component.
func (s *Scanner) unquoted(text []byte) []byte {
	at := bytes.Index(text, escapedQuote)
	if at < 0 {
		return text
	}
	s.quoted = s.quoted[:0]
	for ; at >= 0; at = bytes.Index(text, escapedQuote) {
		s.quoted = append(s.quoted, text[:at]...)
		text = text[at+1:]
	}
	s.quoted = append(s.quoted, text...)
	return s.quoted
}

// singleQuoted replaces two apostrophes within a word by one: YAML doubles them
// between single quotes.
func (s *Scanner) singleQuoted(text []byte) []byte {
	at := bytes.Index(text, doubledApostrophe)
	if at < 1 || at+2 >= len(text) || !letter(text[at-1]) || !letter(text[at+2]) {
		return text
	}
	return bytes.ReplaceAll(text, doubledApostrophe, doubledApostrophe[:1])
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// End ends the log, and returns the hits of the message that is still open and of
// tracebacks without a last line.
func (s *Scanner) End() []train.LogHit {
	hits := slices.Clone(s.whole())
	cuts := len(hits)
	for _, who := range s.speakers {
		if hit, found := who.cut(); found {
			hits = append(hits, hit)
		}
		if who.report.cut.Signature != "" {
			hits = append(hits, who.report.cut)
		}
		who.traceback, who.report = traceback{}, report{}
	}
	slices.SortFunc(hits[cuts:], func(a, b train.LogHit) int { return cmp.Compare(a.Line, b.Line) })
	s.open = 0
	return hits
}

// scanLine scans a line that contains an anchor, or that may belong to other lines.
func (s *Scanner) scanLine(number int64, at time.Time, text []byte) []train.LogHit {
	if bytes.IndexByte(text, 0x1b) >= 0 {
		s.plain = withoutColours(text, s.plain)
		text = s.plain
		s.found = s.list.anchors.find(text, s.found[:0])
	}
	if bytes.Contains(text, []byte("NCCL INFO")) {
		if text = warningOf(text); text == nil {
			return nil // no reason for alarm
		}
		s.found = s.list.anchors.find(text, s.found[:0])
	}
	text = behindBar(behindClock(text))
	s.hits = s.hits[:0]
	if s.isFound(partBlock) {
		if head := blockHead.Match(text); head && s.blocks {
			s.speaker(nil).rank = blockRank(text)
			return s.hits
		} else if !head {
			s.blocks = true
		}
	}
	p := unprefix(text)
	if s.isFound(partTranslated) {
		p.said, p.text = p.text, append(english(p.text), "        "...)
		s.found = s.list.anchors.find(p.text, s.found[:0])
	}
	who := s.speaker(p.by)
	was := who.busy()
	if who.traceback.boxLine(p.text) {
		return s.hits
	}
	head, around := s.headFound(), formOf(p.text)
	p.text = who.traceback.without(p.text)
	if message := recordedException(p.text); message != nil {
		p.text, who.recorded = message, number
	}
	s.structure(number, who, p)
	who.report.takeTime(p.text)
	if head {
		who.traceback.form, who.traceback.ofRank = around, namedRank(p.text)+1
	}
	who.traceback.at(number, at, p)
	best, match := s.best(p.text)
	if best == nil && s.where&InEvent != 0 && !was && !who.busy() {
		if inner := unindented(p.text); len(inner) < len(p.text) {
			if best, match = s.best(inner); best != nil && best.name == "python-bare" {
				best = nil // a list may name any exception
			}
		}
	}
	if best != nil && best.name == unhealthyTask && !who.listsTasks(number) {
		best = nil // any program may name its tasks
	}
	if best != nil {
		s.hit(number, at, who, p, best, match)
	} else if who.traceback.open && who.traceback.exception(p.text) {
		s.exception(number, at, who, p)
	}
	if t := &who.traceback; t.saving && t.storage.Signature != "" {
		s.hits = append(s.hits, t.storage) // the frames below it show what the program was doing
		t.storage = train.LogHit{}
	}
	who.report.left = max(0, who.report.left-1)
	s.count(was, who.busy())
	return s.hits
}

// stamped matches the time that a collector writes before a line, and syslog's host
// and program.
var stamped = regexp.MustCompile(`^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,:+Z-]*\]?|[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \S+ [\w./-]+(?:\[\d+\])?:) +`)

// unindented removes an indentation (code in a page, an item of a list) or a
// collector's time from a line.
func unindented(text []byte) []byte {
	text = bytes.TrimLeft(text, " \t")
	if at := stamped.FindIndex(text); at != nil {
		text = text[at[1]:]
	}
	if len(text) > 2 && (text[0] == '-' || text[0] == '*') && text[1] == ' ' {
		text = bytes.TrimLeft(text[2:], " \t")
	}
	return text
}

// warningOf returns the warning in a line that also contains a NCCL INFO message, or
// PyTorch's message about a rank after it: processes share one output. nil for none.
func warningOf(text []byte) []byte {
	if at := bytes.Index(text, []byte("NCCL WARN")); at >= 0 {
		warning, _, _ := bytes.Cut(text[at:], []byte("NCCL INFO"))
		return warning
	}
	_, behind, _ := bytes.Cut(text, []byte("NCCL INFO"))
	if at := rankError.FindIndex(behind); at != nil {
		return behind[at[0]:]
	}
	return nil
}

// rankError matches the beginning of an error of PyTorch's C++ (torch 2.2 and later).
var rankError = regexp.MustCompile(`\[rank\d+\]:\[[EF]\d?`)

func (w *writer) busy() bool { return w.traceback.open || w.report.left > 0 }

func (s *Scanner) count(was, is bool) {
	switch {
	case is && !was:
		s.open++
	case was && !is:
		s.open--
	}
}

func (s *Scanner) speaker(by []byte) *writer {
	if w := s.speakers[string(by)]; w != nil {
		return w
	}
	w := &writer{rank: -1}
	if len(s.speakers) < maxSpeakers {
		s.speakers[string(by)] = w
	} else {
		clear(s.speakers) // more names than ranks: the prefix contains a counter
		s.open = 0
	}
	return w
}

// structure updates the state of tracebacks and reports over several lines.
func (s *Scanner) structure(line int64, who *writer, p prefixed) {
	for _, at := range s.found {
		switch s.list.rules[at].part {
		case partSaving:
			who.saving = line
		case partTasks:
			who.tasks = line
		case partTraceback:
			if bytes.Contains(p.text, nativeTraceback) {
				continue
			}
			who.traceback.begin()
			who.traceback.wrapper = who.launcher
			who.traceback.saving = who.saving > 0 && line-who.saving <= sinceSaving
		case partFrame:
			if _, is := s.list.rules[at].match(p.text); !is {
				continue
			}
			first := !who.traceback.open
			who.traceback.addFrame(p.text)
			who.traceback.wrapper = who.traceback.wrapper || first && who.launcher
		case partBox:
			who.traceback.beginBox(who.launcher)
		case partChain:
			who.traceback.chained = true
		case partIgnored:
			who.traceback = traceback{ignored: true}
		case partReport:
			who.report.take(line, p.text)
		case partProcess:
			if captures, found := s.list.rules[at].match(p.text); found {
				who.rank, _ = strconv.Atoi(captures[0])
			}
		}
	}
}

func number(text []byte) (int, bool) {
	n, err := strconv.Atoi(string(text))
	return n, err == nil
}

// best returns the rule with the greatest weight for a line, nil for none. Failing
// programs repeat lines, so it looks in a cache first.
func (s *Scanner) best(text []byte) (*rule, Match) {
	if known, is := s.weighed[string(text)]; is && slices.Equal(known.found, s.found) {
		return known.rule, known.match
	}
	r, match := s.weigh(text)
	if len(text) <= longestWeighed {
		if len(s.weighed) == mostWeighed {
			clear(s.weighed)
		}
		s.weighed[string(text)] = cachedMatch{slices.Clone(s.found), r, match}
	}
	return r, match
}

// cachedMatch is the cached result for a text with certain anchors.
type cachedMatch struct {
	found []uint16
	rule  *rule
	match Match
}

// Limits of the cache.
const (
	mostWeighed    = 128
	longestWeighed = 2 << 10
)

// weigh tries all rules whose anchors occur in a text.
func (s *Scanner) weigh(text []byte) (*rule, Match) {
	var matches []Match
	for _, at := range s.found {
		r := &s.list.rules[at]
		if r.in&s.where == 0 || r.part != partNone && r.part != partHeal {
			continue
		}
		captures, found := r.match(text)
		if found && (s.where&InEvent == 0 || !r.isQuoted(text)) {
			matches = append(matches, Match{r.name, r.cause, r.weight, r.symptom, captures})
		}
	}
	if matches = s.unquotedMatches(matches, text); len(matches) == 0 {
		return nil, Match{}
	}
	matches = s.list.order(matches, text)
	if len(matches) > 1 { // any other row is more specific than an exception's name, or than the severity of a line
		matches = slices.DeleteFunc(matches, func(m Match) bool {
			return m.Signature == "python-bare" || m.Signature == fatalLog || m.Signature == goFatalLog
		})
	}
	if len(matches) == 0 || matches[0].Weight < own && bytes.Contains(text, []byte("Warning: ")) && !bytes.Contains(text, []byte("Warning  ")) {
		return nil, Match{}
	}
	return s.list.byName[matches[0].Signature], matches[0]
}

// hit makes the hit of a rule that matched.
func (s *Scanner) hit(at int64, when time.Time, who *writer, p prefixed, r *rule, m Match) {
	t := &who.traceback
	frame, spawned, ofHead := "", false, -1
	if t.open && t.exception(p.text) {
		if t.ignored {
			*t = traceback{}
			return
		}
		_, fetching := t.ofFetch(train.LogHit{Text: shown(p.text)})
		_, tracking := t.ofTracker(train.LogHit{Text: shown(p.text)})
		_, framed := t.ofFrame(train.LogHit{Text: shown(p.text)}, m.Signature != "python-bare")
		if fetching || framed || tracking && m.Cause == "dataset-download-failure" || m.Signature == "python-bare" || m.Signature == storageRead {
			s.exception(at, when, who, p)
			return
		}
		frame, spawned, ofHead, m = t.frame, t.spawned && m.Signature == "checkpoint-zip", t.ofRank-1, t.ofCheckpoint(m)
		*t = traceback{seen: true}
	} else if t.ignored {
		return
	}
	if m.Signature == "python-bare" && frame == "" && t.seen {
		return // the next exception of a chain
	}
	hit := train.LogHit{
		Signature: m.Signature, Cause: m.Cause, Line: at, Time: when, Text: shown(p.quote()), Captures: m.Captures, Rank: p.rank, Frame: frame,
	}
	if spawned {
		hit = ofSpawn(hit)
	} else if rank, named := r.rank(m.Captures); named {
		if !p.process || r.cause != "nccl-timeout" {
			hit.Rank = rank
		}
	} else if who.rank >= 0 {
		hit.Rank = who.rank
	} else if who.report.left > 0 && who.report.rank >= 0 {
		hit.Rank = who.report.rank
	} else if hit.Rank < 0 {
		hit.Rank = max(namedRank(p.text), ofHead)
	}
	if storage, failed := ofStorage(hit); failed && (m.Signature == "python-bare" || m.Signature == storageRead) {
		t.storage = storage
	}
	who.launcher = who.launcher || strings.HasPrefix(hit.Signature, "child-")
	who.report.mark(&hit)
	s.hits = append(s.hits, hit)
}

// exception makes the hit of an exception that no row matches.
func (s *Scanner) exception(at int64, when time.Time, who *writer, p prefixed) {
	t := who.traceback
	who.traceback = traceback{seen: true}
	if t.ignored || t.chained && t.seen || bytes.HasPrefix(p.text, []byte("SystemExit")) {
		return
	}
	rank := p.rank
	if who.rank >= 0 {
		rank = who.rank
	} else if rank < 0 {
		rank = max(namedRank(p.text), t.ofRank-1)
	}
	hit := train.LogHit{
		Signature: "python-exception", Cause: "python-exception", Line: at, Time: when, Text: shown(p.quote()), Rank: rank, Frame: t.frame,
	}
	if storage, failed := ofStorage(hit); failed && t.saving {
		hit = storage
	} else if tracked, is := t.ofTracker(hit); is {
		hit = tracked
	} else if fetch, cut := t.ofFetch(hit); cut {
		hit = fetch
	} else if fact, is := t.ofFrame(hit, false); is {
		hit = fact
	} else if waited, stopped := t.ofInterrupt(hit); stopped {
		hit = waited
	} else if t.spawned {
		hit = ofSpawn(hit)
	} else if failed {
		who.traceback.storage = storage
		hit.Signature, hit.Cause = storageRead, "storage-hang"
	}
	s.hits = append(s.hits, hit)
}

// maxShown is how much of a line a hit quotes.
const maxShown = 512

// shown makes text safe for a terminal, on one line.
func shown(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) > maxShown {
		cut := maxShown
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
		if blank := bytes.LastIndexAny(text, " \t"); blank > maxShown/2 {
			text = text[:blank] // half a word may be the beginning of a secret
		}
	}
	return termtext.Line(string(text))
}
