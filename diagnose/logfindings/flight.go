package logfindings

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/traintop/traintop/termtext"
)

// Lines that sources/flightrecord builds from the dumps of PyTorch's flight
// recorder: how far a rank has come in each process group.
const (
	flightWaits = "flight-waits" // number, operation, elements, state of what has not completed
	flightDone  = "flight-done"  // number of the last one: all have completed
)

// flightWorks returns what flight records contain of the collectives of each
// group: the oldest one that a rank has enqueued and that has not completed,
// or its last one when all have.
//
// With timing on, a record distinguishes a collective whose kernel has started
// from one that still waits for earlier work of its GPU: where another rank
// has started it, such a rank has not reached it.
func flightWorks(all []candidate) []work {
	type place struct {
		group    string
		sequence int64
	}
	started := map[place]bool{}
	for i := range all {
		if c := &all[i]; c.hit.Signature == flightWaits && len(c.hit.Captures) >= 4 && c.hit.Captures[3] == "started" {
			started[place{groupOf(c.hit.Text), whole(c.hit.Captures[0])}] = true
		}
	}
	var works []work
	for i := range all {
		c := &all[i]
		if c.rank < 0 || c.hit.Signature != flightWaits && c.hit.Signature != flightDone {
			continue
		}
		w := work{rank: c.rank, group: groupOf(c.hit.Text), sequence: -1, enqueued: -1, ended: -1, hit: c.hit, log: c.log}
		switch captures := c.hit.Captures; {
		case c.hit.Signature == flightDone && len(captures) >= 1:
			w.enqueued = whole(captures[0])
		case c.hit.Signature == flightWaits && len(captures) >= 4:
			w.enqueued = whole(captures[0])
			if at := (place{w.group, w.enqueued}); captures[3] != "started" && started[at] {
				w.enqueued--
			} else {
				w.sequence, w.op, w.elements = at.sequence, captures[1], captures[2]
			}
		default:
			continue
		}
		works = append(works, w)
	}
	return works
}

// flightRanks matches the ranks of the group that a rank waits in.
var flightRanks = regexp.MustCompile(`, of ranks \[([\d, ]+)\]`)

// recordless finds the ranks without a flight record, where all given ones
// wait in one collective.
func recordless(all []candidate) []candidate {
	var waiting *candidate
	var given []int
	for i := range all {
		c := &all[i]
		if c.hit.Signature != flightWaits && c.hit.Signature != flightDone || c.rank < 0 {
			continue
		}
		given = append(given, c.rank)
		if c.hit.Signature == flightWaits && waiting == nil && len(c.hit.Captures) > 0 {
			waiting = c
		}
	}
	if waiting == nil {
		return nil
	}
	m := flightRanks.FindStringSubmatch(waiting.hit.Text)
	if m == nil {
		return nil
	}
	group := numbers(m[1])
	absent := slices.DeleteFunc(slices.Clone(group), func(rank int) bool { return slices.Contains(given, rank) })
	if len(absent) == 0 || 2*len(absent) > len(group) {
		return nil
	}
	c := reported(waiting, "one-rank-behind", absent)
	c.weight, c.hit.Text = weightCollective, "" // a rank without a record has no line
	c.beside = &work{rank: waiting.rank, hit: waiting.hit, log: waiting.log}
	c.title = fmt.Sprintf("No flight record of %s was given, and the others wait in collective %s: look whether it ended or stands before that", termtext.Ranks(absent), waiting.hit.Captures[0])
	return []candidate{c}
}

// onlyCompared reports candidates that mean nothing by themselves.
func onlyCompared(c candidate) bool {
	return c.hit.Signature == flightDone && c.cause == "nccl-timeout"
}
