package logs

import (
	"time"

	"github.com/traintop/traintop/train"
)

// entry is a line of the merged view: one line, or the same line of many
// ranks folded into one.
type entry struct {
	passed
	line  train.LogLine
	order int // how many lines the walk passed before it
	ranks int
	// pointed is true when the line pointed to is in it.
	pointed bool
}

// foldWithin is how far in time the same line of another rank may be away to
// be folded; found by feel: ranks that wait for each other at every step print
// within some tenths of a second, and stamps of files may know whole seconds
// only.
const foldWithin = int64(2 * time.Second)

// fold makes entries of lines in order. Lines of different ranks are the same
// when their foldKey is equal and they were printed within foldWithin of the
// first; a rank is in an entry once: a repeated line belongs to the next entry.
// Lines without times cannot be matched, so they are not folded. The entry with
// the line at spot to is pointed to.
func fold(lines []passed, tracks int, k *sorts, to spot) []entry {
	entries := make([]entry, 0, min(len(lines), 256))
	open := make([]same, k.count()+1)
	for i, p := range lines {
		pointed := p.track == to.track && p.at == to.at
		if p.kind == 0 {
			entries = append(entries, entry{passed: p, order: i, ranks: 1, pointed: pointed})
			continue
		}
		s := &open[p.kind]
		n := s.said.of(p.track.index, tracks)
		for int(*n) < len(s.entries) && p.when-entries[s.entries[*n]].when > foldWithin {
			*n++
		}
		if int(*n) < len(s.entries) {
			e := &entries[s.entries[*n]]
			e.ranks, e.pointed = e.ranks+1, e.pointed || pointed
		} else {
			s.entries = append(s.entries, len(entries))
			entries = append(entries, entry{passed: p, order: i, ranks: 1, pointed: pointed})
		}
		*n++
	}
	return entries
}

// spot is a line of a track; track is nil for none.
type spot struct {
	track *track
	at    int
}

// same is the entries made of equal lines, and how many of them each track has
// passed.
type same struct {
	entries []int
	said    tally
}

// tally is a number for each track. Most lines are of one track alone, so
// there is room for that without an allocation.
type tally struct {
	one   int32
	first int // the track of one, less 1
	all   []int32
}

// of is the number of a track.
func (t *tally) of(track, tracks int) *int32 {
	switch {
	case t.all != nil:
		return &t.all[track]
	case t.first == 0 || t.first == track+1:
		t.first = track + 1
		return &t.one
	}
	t.all = make([]int32, tracks)
	t.all[t.first-1] = t.one
	return &t.all[track]
}

// filling counts the entries that lines will make, without making them.
type filling struct {
	entries, tracks int
	seen            []seen // by kind
}

// sorts numbers lines by foldKey, from 1.
type sorts struct{ numbers map[uint64]int32 }

func (v *paneSet) newSorts() *sorts {
	if v.unfolded {
		return nil
	}
	return &sorts{make(map[uint64]int32, 256)}
}

func (k *sorts) of(text string) int32 {
	key := foldKey(text)
	n, known := k.numbers[key]
	if !known {
		n = int32(len(k.numbers) + 1)
		k.numbers[key] = n
	}
	return n
}

func (k *sorts) count() int {
	if k == nil {
		return 0
	}
	return len(k.numbers)
}

// seen is a line printed within foldWithin, and how often by which ranks.
type seen struct {
	when int64
	most int32
	said tally
}

func (c *filling) add(p passed) {
	if p.kind == 0 {
		c.entries++
		return
	}
	for int(p.kind) >= len(c.seen) {
		c.seen = append(c.seen, seen{when: p.when})
	}
	s := &c.seen[p.kind]
	if max(s.when-p.when, p.when-s.when) > foldWithin {
		*s = seen{when: p.when}
	}
	n := s.said.of(p.track.index, c.tracks)
	if *n++; *n > s.most {
		s.most = *n
		c.entries++
	}
}

// foldKey is equal for lines that count as the same. Left out are colours,
// times of day and dates, and what names the rank: a number in brackets or
// before a colon at the beginning of the line ("[3]:", "3:", "[1,3]<stdout>:"),
// and the number after the word rank ("[rank3]:", "rank 3", "global_rank=3").
// All other numbers count.
func foldKey(text string) uint64 {
	h := newHash()
	prefix := true // only text that may precede a rank's number so far
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == 0x1b:
			i = behindColour(text, i)
			continue
		case isDigit(c):
			token, digits := tokenAt(text, i)
			if clock(text[i : i+token]) {
				h.add('#')
				i += token
			} else {
				i = h.number(text, i, digits, prefix)
			}
			continue
		}
		prefix = prefix && (c == '[' || c == '(' || c == '<' || c == ' ')
		h.add(c)
		i++
	}
	return uint64(h)
}

// number adds a number, or a sign in its place when it names a rank, and
// returns its end.
func (h *hash) number(text string, i, digits int, prefix bool) int {
	end := i + digits
	if prefix && end < len(text) && text[end] == ',' && end+1 < len(text) && isDigit(text[end+1]) {
		_, more := tokenAt(text, end+1) // mpirun's [JOB,RANK]
		end += 1 + more
	}
	if prefix && end < len(text) && (text[end] == ']' || text[end] == ':' || text[end] == ')' || text[end] == '>') || ranksNumber(text, i) {
		h.add('#')
		return end
	}
	for ; i < end; i++ {
		h.add(text[i])
	}
	return end
}

// tokenAt is the length of a run of characters of times and dates, and how many
// digits it begins with.
func tokenAt(text string, i int) (token, digits int) {
	j := i
	for j < len(text) && isDigit(text[j]) {
		j++
	}
	digits = j - i
	for j < len(text) && (isDigit(text[j]) || text[j] == ':' || text[j] == '.' || text[j] == ',' || text[j] == '-' || text[j] == '/') {
		j++
	}
	return j - i, digits
}

// clock reports whether a token is a time of day or a date: 08:50:00,123,
// 2026-11-20, 11/20/26.
func clock(token string) bool {
	colons, dashes := 0, 0
	for i := 1; i+1 < len(token); i++ {
		switch {
		case !isDigit(token[i-1]) || !isDigit(token[i+1]):
		case token[i] == ':':
			colons++
		case token[i] == '-' || token[i] == '/':
			dashes++
		}
	}
	return colons >= 2 || dashes == 2 && len(token) >= len("11/20/26")
}

// ranksNumber reports whether the number at i follows the word rank.
func ranksNumber(text string, i int) bool {
	j := i
	for j > 0 && i-j < 3 && (text[j-1] == ' ' || text[j-1] == '=' || text[j-1] == ':' || text[j-1] == '_' || text[j-1] == '#' || text[j-1] == '[') {
		j--
	}
	return j >= 4 && (text[j-1]|0x20) == 'k' && (text[j-2]|0x20) == 'n' && (text[j-3]|0x20) == 'a' && (text[j-4]|0x20) == 'r'
}

// behindColour is where the escape sequence that begins at i ends.
func behindColour(text string, i int) int {
	for i++; i < len(text); i++ {
		if text[i] == 'm' {
			return i + 1
		}
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// hash is FNV-1a.
type hash uint64

func newHash() hash { return 14695981039346656037 }

func (h *hash) add(c byte) { *h = (*h ^ hash(c)) * 1099511628211 }
