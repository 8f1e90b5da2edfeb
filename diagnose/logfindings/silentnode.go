package logfindings

import (
	"fmt"
	"path"
	"slices"

	"github.com/traintop/traintop/termtext"
)

// silentNode finds the one log of a node, with several ranks in it, that ends without a word
// while ranks in every other log report that they lost a peer or timed out.
func silentNode(rankLogs []rankLog, all []candidate) []candidate {
	if len(rankLogs) < 2 || !slices.ContainsFunc(rankLogs, func(v rankLog) bool { return len(v.shared) > 1 }) {
		return nil
	}
	silent, first := -1, (*candidate)(nil)
	for i := range rankLogs {
		v := &rankLogs[i]
		waits, says := v.complaint(all)
		switch {
		case waits == nil && says, waits == nil && silent >= 0, waits == nil && len(v.shared) < 2:
			return nil
		case waits == nil:
			silent = i
		case first == nil || waits.at.Before(first.at):
			first = waits
		}
	}
	if silent < 0 || first == nil {
		return nil
	}
	v := &rankLogs[silent]
	log := v.logs[len(v.logs)-1]
	n := log.Lines.Len() - 1
	if n < 0 || !first.at.IsZero() && log.Lines.Time(n).After(first.at) {
		return nil
	}
	last := log.Lines.At(n)
	c := candidate{cause: first.cause, weight: weightCollective - 1, symptom: true, rank: -1, at: first.at, hit: first.hit, log: first.log, ranks: v.shared, nobody: true}
	c.title = fmt.Sprintf("%s print nothing more while the ranks in all other logs wait for them or lost them; the last line of %s is: %s",
		capital(termtext.Ranks(v.shared)), path.Base(log.ID.File), termtext.Short(safe(log.Lines.Plain(n)), 120))
	c.beside = &work{rank: first.rank, hit: first.hit, log: first.log}
	c.log, c.hit.Line, c.hit.Text, c.hit.Time, c.hit.Rank, c.hit.Frame = log, last.Number, safe(log.Lines.Plain(n)), last.Time, -1, ""
	return []candidate{c}
}

// complaint returns the first report, in the logs of v, of a rank that waits for others or
// lost them, nil for none, and whether they report any other error.
func (v *rankLog) complaint(all []candidate) (waits *candidate, says bool) {
	for i := range all {
		c := &all[i]
		switch {
		case c.healed, !slices.Contains(v.logs, c.log):
		case isCollective(c.cause) && (c.tier() == tierLost || c.cause == "rendezvous-timeout"):
			if waits == nil || c.at.Before(waits.at) {
				waits = c
			}
		default:
			says = true
		}
	}
	return waits, says
}
