package logs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// work is what one rank's watchdog says about the collective that hangs.
type work struct {
	rank            int
	sequence        int64 // -1 when not told
	op              string
	elements        string
	enqueued, ended int64 // -1 when not told
	hit             train.LogHit
	log             *store.Log
}

func isCollective(cause train.Cause) bool {
	switch cause {
	case "nccl-timeout", "nccl-connection-lost", "gloo-connection-lost", "nccl-desync", "rendezvous-timeout":
		return true
	}
	return false
}

// collectives compares over ranks what their watchdogs say: ranks in different
// collectives are out of step, a rank that enqueued less or says nothing at
// all is the one that the others wait for.
func collectives(voices []voice, all []candidate) []candidate {
	works := worksOf(all)
	stalled := stalledOps(all)
	if len(works) == 0 {
		return append(stalled, silentPeer(voices, all)...)
	}
	if c, found := outOfStep(works); found {
		return append(stalled, c)
	}
	if c, found := behind(works); found {
		return append(stalled, c)
	}
	return append(stalled, silentPeer(voices, all)...)
}

// worksOf gathers the first word of each rank's watchdog.
func worksOf(all []candidate) []work {
	var works []work
	at := func(c *candidate) *work {
		i := slices.IndexFunc(works, func(w work) bool { return w.rank == c.rank })
		if i < 0 {
			works = append(works, work{rank: c.rank, sequence: -1, enqueued: -1, ended: -1, hit: c.hit, log: c.log})
			i = len(works) - 1
		}
		return &works[i]
	}
	for i := range all {
		c := &all[i]
		switch {
		case c.healed || c.rank < 0:
		case c.hit.Signature == "nccl-watchdog" && len(c.hit.Captures) > 3:
			if w := at(c); w.sequence < 0 {
				w.sequence, w.op, w.elements = whole(c.hit.Captures[1]), c.hit.Captures[2], c.hit.Captures[3]
			}
		case c.hit.Signature == "nccl-last-work" && len(c.hit.Captures) > 2:
			if w := at(c); w.enqueued < 0 {
				w.enqueued, w.ended = whole(c.hit.Captures[1]), whole(c.hit.Captures[2])
			}
		}
	}
	return works
}

func whole(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// outOfStep finds two ranks that wait in different collectives of one number.
func outOfStep(works []work) (candidate, bool) {
	for i := range works {
		for k := range works[:i] {
			a, b := &works[k], &works[i]
			if a.sequence < 0 || a.sequence != b.sequence || a.op == b.op && (a.elements == b.elements || a.elements == "" || b.elements == "") {
				continue
			}
			c := candidate{cause: "nccl-desync", weight: weightCollective + 1, rank: b.rank, at: a.hit.Time, hit: a.hit, log: a.log, ranks: []int{a.rank, b.rank}, nobody: true}
			c.title = fmt.Sprintf("Ranks %d and %d run different collectives under the same number %d: %s and %s", a.rank, b.rank, a.sequence, a.describe(), b.describe())
			return c, true
		}
	}
	return candidate{}, false
}

func (w *work) describe() string {
	if w.elements == "" {
		return w.op
	}
	return w.op + " of " + w.elements + " elements"
}

// weightCollective is just above that of the watchdog's own lines.
const weightCollective = 30

// behind finds the rank that enqueued least, when one alone did.
func behind(works []work) (candidate, bool) {
	measure := func(w *work) int64 {
		if w.enqueued >= 0 {
			return w.enqueued
		}
		return w.sequence
	}
	comparable := slices.DeleteFunc(slices.Clone(works), func(w work) bool { return measure(&w) < 0 })
	all := func(known func(*work) int64) bool {
		return !slices.ContainsFunc(comparable, func(w work) bool { return known(&w) < 0 })
	}
	switch {
	case len(comparable) < 2:
		return candidate{}, false
	case all(func(w *work) int64 { return w.enqueued }):
		measure = func(w *work) int64 { return w.enqueued }
	case all(func(w *work) int64 { return w.sequence }):
		measure = func(w *work) int64 { return w.sequence }
	default:
		return candidate{}, false // some tell the one number, some the other
	}
	slices.SortStableFunc(comparable, func(a, b work) int { return int(measure(&a) - measure(&b)) })
	least, next := &comparable[0], &comparable[1]
	if measure(least) == measure(next) {
		return candidate{}, false
	}
	c := candidate{cause: "one-rank-behind", weight: weightCollective, rank: least.rank, at: least.hit.Time, hit: least.hit, log: least.log, ranks: []int{least.rank}}
	c.title = fmt.Sprintf("Rank %d is behind: it reached collective %d, the others %d or more, and they wait for it", least.rank, measure(least), measure(next))
	return c, true
}

// silentPeer finds the one rank that says nothing while all others complain
// that they lost somebody or waited in vain.
func silentPeer(voices []voice, all []candidate) []candidate {
	if len(voices) < 2 {
		return nil
	}
	complains := map[int]*candidate{}
	for i := range all {
		c := &all[i]
		if c.tier() <= tierGeneral && !c.healed {
			return nil // somebody has an error of its own
		}
		if isCollective(c.cause) && c.tier() == tierLost && !c.healed {
			complains[c.rank] = c
		}
	}
	var silent []int
	for i := range voices {
		if complains[voices[i].rank] == nil {
			silent = append(silent, voices[i].rank)
		}
	}
	if len(silent) != 1 || silent[0] < 0 || len(complains) < len(voices)-1 || len(complains) == 0 {
		return nil
	}
	rank := silent[0]
	var first *candidate
	for _, c := range complains {
		if first == nil || c.rank < first.rank {
			first = c
		}
	}
	cause, weight := train.Cause("one-rank-behind"), weightCollective
	if first.cause != "nccl-timeout" {
		cause, weight = first.cause, weightCollective-1
	}
	c := candidate{cause: cause, weight: weight, symptom: true, rank: rank, at: first.at, hit: first.hit, log: first.log, ranks: []int{rank}}
	c.title = fmt.Sprintf("Rank %d says nothing while all other ranks wait for it or lost it", rank)
	return []candidate{c}
}

// stalledOps reads the ranks that Horovod names: the missing ones, or those
// that are ready, which leaves the others.
func stalledOps(all []candidate) []candidate {
	for i := range all {
		c := &all[i]
		if c.cause != "horovod-stall" || len(c.hit.Captures) == 0 || c.healed {
			continue
		}
		words, list, found := strings.Cut(strings.Trim(c.hit.Captures[0], "[]"), ":")
		if !found {
			continue
		}
		ranks := numbers(list)
		named := candidate{cause: c.cause, weight: c.weight + 1, rank: -1, at: c.at, hit: c.hit, log: c.log, nobody: true}
		if strings.HasPrefix(words, "missing") {
			named.ranks = ranks
			if len(ranks) == 1 {
				named.rank, named.nobody = ranks[0], false
			}
			named.title = fmt.Sprintf("Horovod waits for %s: the other ranks have submitted their tensors", rankList(ranks))
		} else if absent := gaps(ranks); len(absent) > 0 {
			named.ranks = absent
			if len(absent) == 1 {
				named.rank, named.nobody = absent[0], false
			}
			named.title = fmt.Sprintf("Horovod waits for %s and possibly ranks above %d: the ranks named as ready are not the ones at fault", rankList(absent), slices.Max(ranks))
		} else {
			continue
		}
		return []candidate{named}
	}
	return nil
}

// gaps are the ranks below the greatest that are not in the list.
func gaps(ranks []int) []int {
	if len(ranks) == 0 {
		return nil
	}
	var absent []int
	for rank := range min(slices.Max(ranks), 1<<16) {
		if !slices.Contains(ranks, rank) {
			absent = append(absent, rank)
		}
	}
	return absent
}

func numbers(list string) []int {
	var ranks []int
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(word); err == nil && len(ranks) < 4096 {
			ranks = append(ranks, n)
		}
	}
	return ranks
}

func rankList(ranks []int) string {
	if len(ranks) == 1 {
		return fmt.Sprintf("rank %d", ranks[0])
	}
	words := make([]string, 0, len(ranks))
	for _, r := range ranks[:min(len(ranks), 8)] {
		words = append(words, strconv.Itoa(r))
	}
	text := "ranks " + strings.Join(words, ", ")
	if more := len(ranks) - len(words); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
