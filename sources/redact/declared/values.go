// Package declared masks in logs the secrets that pods declare in plain sight:
// the values of variables whose names are secret (DB_PASSWORD). Programs print
// them without their names, so nothing else in the line shows what they are.
//
// The values stay in the memory of the source that read them: it masks them
// before an event leaves it, so that neither the store nor a recording has them.
package declared

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/traintop/traintop/sources/redact"
)

const (
	// longest bounds a value in bytes; a longer one is masked by its lines.
	longest = 16 << 10
	// mostWritten bounds how many values a set searches for; beyond it the
	// oldest half is dropped, which belongs to pods that are gone.
	mostWritten = 32 << 10
)

// Values are the declared secrets of a source, by namespace. Many goroutines may
// use it. The zero value is ready.
type Values struct {
	// Everywhere: all namespaces have the same secrets. Set it before the first use.
	Everywhere bool

	mu   sync.Mutex
	sets map[string]*Set
}

// In returns the secrets of a namespace, which are masked in the logs of all its
// pods: a launcher prints what its workers declare.
func (v *Values) In(namespace string) *Set {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.Everywhere {
		namespace = ""
	}
	set := v.sets[namespace]
	if set == nil {
		if v.sets == nil {
			v.sets = map[string]*Set{}
		}
		set = &Set{known: map[string]bool{}, byStart: map[uint64][]*written{}, byPart: map[uint32][]*written{}}
		v.sets[strings.Clone(namespace)] = set
	}
	return set
}

// Set are the declared secrets of one namespace. Many goroutines may use it; nil
// has none.
type Set struct {
	count atomic.Int64

	mu    sync.RWMutex
	known map[string]bool // values, as declared
	order []*written
	// starts has a bit for the hash of the first eight bytes of each value, so
	// that most positions of a text need no look into a map.
	starts  [filterWords]uint64
	byStart map[uint64][]*written
	byPart  map[uint32][]*written
}

// written is one way in which a program writes a value.
type written struct {
	text, placeholder string
	// value is what was declared.
	value string
	// weak: it counts only as a word of its own.
	weak bool
}

// Declare adds the value of a variable if it is secret by its name and can be
// distinguished from ordinary words.
func (s *Set) Declare(name, value string) {
	value = strings.TrimSpace(value)
	if value == "" || s.has(value) {
		return
	}
	kind, weak, is := redact.Declared(name, value)
	if !is {
		return
	}
	value = strings.Clone(value)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[value] = true
	if len(value) <= longest {
		for _, text := range forms(value) {
			s.add(&written{text, kind.Placeholder(), value, weak})
		}
	}
	if strings.Contains(value, "\n") {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); redact.DeclaredLine(line) {
				s.add(&written{line, kind.Placeholder(), value, false})
			}
		}
	}
	if len(s.order) > mostWritten {
		s.dropOldest()
	}
	s.count.Store(int64(len(s.order)))
}

func (s *Set) has(value string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.known[value]
}

func (s *Set) add(w *written) {
	s.order = append(s.order, w)
	start := eight(w.text)
	s.starts[filterWord(start)] |= filterBit(start)
	s.byStart[start] = append(s.byStart[start], w)
	part := four(w.text)
	s.byPart[part] = append(s.byPart[part], w)
}

// dropOldest forgets the values of the older half. mu is held.
func (s *Set) dropOldest() {
	kept := s.order[len(s.order)/2:]
	s.order, s.starts = nil, [filterWords]uint64{}
	clear(s.known)
	clear(s.byStart)
	clear(s.byPart)
	for _, w := range kept {
		s.known[w.value] = true
		s.add(w)
	}
}

// forms are the ways in which programs write a value: as it is, in JSON, in a URL,
// and in base64.
func forms(value string) []string {
	query := url.QueryEscape(value)
	quoted := strings.ReplaceAll(query, "+", "%20") // of Python's quote, which leaves / by default
	slashed := strings.ReplaceAll(quoted, "%2F", "/")
	all := []string{value}
	for _, form := range []string{
		inJSON(value, false), inJSON(value, true), asciiJSON(inJSON(value, false)), query, url.PathEscape(value), quoted, slashed,
		strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(value)), "="),
	} {
		if len(form) >= len(value) && !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	return all
}

// inJSON returns a value as it is written between quotes in JSON. Go's encoder escapes
// what HTML gives a meaning to, unless it is told not to.
func inJSON(value string, escapeHTML bool) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	if encoder.SetEscapeHTML(escapeHTML); encoder.Encode(value) != nil {
		return ""
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}

// asciiJSON escapes what is no ASCII, as Python's json.dumps does.
func asciiJSON(quoted string) string {
	var b strings.Builder
	for _, r := range quoted {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
