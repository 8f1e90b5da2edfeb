// Package signatures is the table of texts that identify a cause: lines of logs,
// messages of events and conditions, exit reasons. A Scanner reads lines as they
// arrive; Find matches single messages.
package signatures

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/traintop/traintop/train"
)

// Where is the kind of text in which a signature is searched.
type Where uint8

const (
	InLog     Where = 1 << iota // a container's log
	InEvent                     // the message of an event, condition or status
	InKernel                    // a kernel's log
	InAnyText = InLog | InEvent | InKernel
)

// Match is a signature found in a text.
type Match struct {
	// Signature names the row of the table.
	Signature string
	Cause     train.Cause
	// Weight orders matches of one text: the greatest is the most specific.
	Weight int
	// Symptom is true for the consequence of another rank's or another line's
	// failure: it is the root only when nothing else is found.
	Symptom  bool
	Captures []string
}

// Find matches one message, the most specific match first. A row matches at most
// once.
func Find(where Where, text string) []Match {
	var room [16]uint16
	l, bytes := table(), []byte(text)
	var matches []Match
	for _, at := range l.anchors.find(bytes, room[:0]) {
		r := &l.rules[at]
		if r.in&where == 0 || r.part != partNone {
			continue
		}
		if captures, found := r.match(bytes); found {
			matches = append(matches, Match{r.name, r.cause, r.weight, r.symptom, captures})
		}
	}
	return l.order(matches, bytes)
}

// order adjusts the weights of the matches of one text, and sorts them, the most
// specific first.
func (l *list) order(matches []Match, text []byte) []Match {
	weighNodes(matches, text)
	for i := range matches {
		switch matches[i].Signature {
		case "xid":
			refineXid(&matches[i])
		case "sky-codes":
			refineCodes(&matches[i])
		}
	}
	matches = withoutSilenced(withoutProbed(matches, text))
	ofNodes := bytes.Contains(text, []byte("nodes are available: "))
	slices.SortStableFunc(matches, func(a, b Match) int {
		order := cmp.Compare(b.Weight, a.Weight)
		if order == 0 && ofNodes { // the reason that rules out more nodes
			order = cmp.Compare(b.counted(), a.counted())
		}
		return cmp.Or(order, cmp.Compare(l.places[a.Signature], l.places[b.Signature]))
	})
	return matches
}

// withoutSilenced removes matches that are known to be harmless, and those with less
// weight: a mount that failed because a cache was not filled yet.
func withoutSilenced(matches []Match) []Match {
	quiet := -1
	for _, m := range matches {
		if m.Cause == "" && m.Weight > 0 {
			quiet = max(quiet, m.Weight)
		}
	}
	return slices.DeleteFunc(matches, func(m Match) bool { return m.Weight <= quiet || m.Weight == 0 && m.Cause != "" })
}

// withoutProbed removes a match that blames a registry if the message is about a
// kubelet's probe of a container without an answer.
func withoutProbed(matches []Match, text []byte) []Match {
	if !bytes.Contains(text, []byte(" probe failed: ")) && !bytes.Contains(text, []byte(" probe errored: ")) {
		return matches
	}
	return slices.DeleteFunc(matches, func(m Match) bool { return m.Cause == "image-registry-unreachable" })
}

// Weigh returns the weight of a hit's signature, and whether it is a symptom, as Match
// does. known is false if no row has the name.
func Weigh(hit *train.LogHit) (weight int, symptom, known bool) {
	r := table().byName[hit.Signature]
	if r == nil {
		return 0, false, false
	}
	if hit.Signature == "xid" && hit.Cause == "illegal-memory-access" {
		return xidOfProgram, r.symptom, true
	}
	return r.weight, r.symptom, true
}
