package logfindings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// weightReported is above the weight of compared reports: PyTorch has compared
// the ranks itself.
const weightReported = weightCollective + 4

// desyncReports reads what PyTorch's watchdog writes with
// TORCH_NCCL_DESYNC_DEBUG=1: which ranks did not reach the collective that
// timed out, or that all of them are in it (TraceUtils.h, 1.11 to 2.9).
func desyncReports(all []candidate) []candidate {
	var late, waited []int
	var first *candidate
	finished, joined, timedOut := "", "", ""
	for i := range all {
		c := &all[i]
		if c.healed || !strings.HasPrefix(c.hit.Signature, "desync-") {
			continue
		}
		if first == nil {
			first = c
		}
		switch captures := c.hit.Captures; {
		case c.hit.Signature == "desync-lagging" && len(captures) >= 4:
			late, finished = append(late, numbers(captures[0]+","+captures[1])...), captures[2]
			first = c
		case c.hit.Signature == "desync-joined" && len(captures) >= 2:
			waited, joined = append(waited, numbers(captures[0])...), captures[1]
		case c.hit.Signature == "desync-report" && len(captures) >= 3:
			timedOut = orElse(timedOut, captures[2])
		}
	}
	late, waited = once(late), once(waited)
	switch {
	case len(late) > 0:
		return []candidate{lagging(first, late, finished)}
	case len(waited) > 0 && timedOut != "" && timedOut != joined:
		c := reported(first, "nccl-desync", waited)
		c.title = fmt.Sprintf("%s still in collective %s while others wait in %s: they run different ones", are(waited), joined, timedOut)
		return []candidate{c}
	case len(waited) > 1:
		c := reported(first, "nccl-timeout", waited)
		c.nobody = true
		c.title = fmt.Sprintf("%s all joined collective %s and none finished it: the program is in step, so look at the network and the GPUs", capital(termtext.Ranks(waited)), joined)
		return []candidate{c}
	}
	return nil
}

func lagging(first *candidate, late []int, finished string) candidate {
	c := reported(first, "nccl-desync", late)
	c.title = capital(termtext.Ranks(late)) + " did not come to the collective that the others wait in"
	if finished != "" {
		c.title = fmt.Sprintf("%s finished collective %s and did not join the next one, in which the others wait", capital(termtext.Ranks(late)), finished)
	}
	return c
}

func are(ranks []int) string {
	if len(ranks) == 1 {
		return capital(termtext.Ranks(ranks)) + " is"
	}
	return capital(termtext.Ranks(ranks)) + " are"
}

// reported returns a candidate for a report about ranks.
func reported(from *candidate, cause train.Cause, ranks []int) candidate {
	c := candidate{cause: cause, weight: weightReported, rank: -1, at: from.at, hit: from.hit, log: from.log, ranks: ranks, nobody: len(ranks) != 1}
	if len(ranks) == 1 {
		c.rank = ranks[0]
	}
	return c
}

// flightReports reads the output of torchfrtrace, PyTorch's analyser of flight
// recorder dumps, and PyTorch's monitored barrier: ranks that did not join a
// collective, and ranks that joined another one.
func flightReports(all []candidate) []candidate {
	number := ""
	var found []candidate
	for i := range all {
		c := &all[i]
		switch captures := c.hit.Captures; {
		case c.healed:
		case c.hit.Signature == "flight-sequence" && len(captures) >= 2:
			number = captures[1]
		case c.hit.Signature == "flight-missing" && len(captures) >= 1 && len(found) == 0:
			missing := once(numbers(captures[0]))
			one := reported(c, "one-rank-behind", missing)
			one.title = fmt.Sprintf("%s did not join collective%s that the others wait in", capital(termtext.Ranks(missing)), prefixed(" ", number))
			found = append(found, one)
		case c.hit.Signature == "barrier-absent" && len(captures) >= 1 && len(found) == 0:
			missing := once(numbers(strings.Join(captures, " ")))
			one := reported(c, "one-rank-behind", missing)
			one.title = capital(termtext.Ranks(missing)) + " did not come to a barrier that the others wait in"
			found = append(found, one)
		case c.hit.Signature == "flight-mismatch" && len(captures) >= 3 && len(found) == 0 && c.hit.Rank >= 0:
			one := reported(c, "nccl-desync", []int{c.hit.Rank})
			one.title = fmt.Sprintf("Rank %d runs another collective than the other ranks: %s", c.hit.Rank, safe(orElse(captures[2], captures[1])))
			found = append(found, one)
		}
	}
	return found
}

// unnotified finds the one rank that ranks of HCCL wait for, as their messages
// name it. In a ring each waits for its neighbour, which shows nothing.
func unnotified(all []candidate) []candidate {
	var from *candidate
	peer := -1
	for i := range all {
		c := &all[i]
		if c.healed || c.hit.Signature != "hccl-notify" || len(c.hit.Captures) < 2 {
			continue
		}
		rank := int(whole(c.hit.Captures[0]))
		if c.hit.Captures[1] != "" {
			return nil // counted within a group of the job's ranks
		}
		if rank < 0 || rank == c.rank || peer >= 0 && rank != peer {
			return nil
		}
		peer, from = rank, c
	}
	if from == nil {
		return nil
	}
	one := reported(from, "nccl-timeout", []int{peer})
	one.title = fmt.Sprintf("Rank %d did not take part in a collective that the others wait in", peer)
	return []candidate{one}
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// once sorts ranks and removes duplicates.
func once(ranks []int) []int {
	slices.Sort(ranks)
	return slices.Compact(ranks)
}
