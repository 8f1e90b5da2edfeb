package logfindings

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// work is what one rank's watchdog reports about the collectives of one
// process group. Sequence numbers of two groups are unrelated.
type work struct {
	rank            int
	group           string // "" when not printed
	sequence        int64  // of the collective that timed out, -1 when not printed
	op              string
	elements        string
	enqueued, ended int64 // -1 when not printed
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

// collectives compares the watchdog reports of ranks: ranks in different
// collectives are out of step; the others wait for a rank that enqueued less
// or reports nothing at all. Reports that name ranks themselves go before
// comparisons. Silence counts only where allRead.
func collectives(rankLogs []rankLog, all []candidate, allRead bool) []candidate {
	named := append(stalledOps(all), append(desyncReports(all), flightReports(all)...)...)
	named = append(append(named, notInCollective(rankLogs)...), unnotified(all)...)
	works := worksOf(all)
	silent := func() []candidate {
		if !allRead {
			return nil
		}
		return slices.Concat(silentPeer(rankLogs, all), silentNode(rankLogs, all), absentPeers(rankLogs, all))
	}
	if len(works) == 0 {
		return append(named, silent()...)
	}
	for _, group := range byGroup(works) {
		if c, found := outOfStep(group); found {
			return append(named, c)
		}
		if c, found := behind(group); found {
			return append(named, c)
		}
	}
	if absent := recordless(all); len(absent) > 0 {
		return append(named, absent...)
	}
	return append(named, silent()...)
}

// groupPrefix is PyTorch's prefix of a watchdog's message about a process
// group (ProcessGroupNCCL::createLogPrefix): "[PG 1 Rank 0]" of 2.3, "[PG 0
// (default_pg) Rank 3]" of 2.4, "[PG ID 0 PG GUID 0(default_pg) Rank 5]" from
// 2.5 on. The number after ID counts a process' own groups; the GUID is the
// same on all ranks.
var groupPrefix = regexp.MustCompile(`\[PG (?:ID )?(\S+?)(?: PG GUID (\S+?))?(?: \([^)]*\))?(?: Rank \d+)?\]`)

func groupOf(text string) string {
	m := groupPrefix.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return cmp.Or(m[2], m[1])
}

// failedWork is the collective at which a watchdog found the error: "Timeout at
// NCCL work: 2070" (PyTorch 2.4), "detected by watchdog at work: 808" (2.6),
// "at work sequence id: 5" (2.7).
var failedWork = regexp.MustCompile(`(?:at (?:NCCL )?work:|at work sequence id:) (\d+)`)

// worksOf collects the first report of each rank's watchdog about each group.
func worksOf(all []candidate) []work {
	var works []work
	at := func(c *candidate, group string) *work {
		i := slices.IndexFunc(works, func(w work) bool { return w.rank == c.rank && w.group == group })
		if i < 0 {
			works = append(works, work{rank: c.rank, group: group, sequence: -1, enqueued: -1, ended: -1, hit: c.hit, log: c.log})
			i = len(works) - 1
		}
		return &works[i]
	}
	for i := range all {
		c := &all[i]
		if c.healed || c.rank < 0 || c.hit.Signature != "nccl-last-work" || len(c.hit.Captures) < 3 {
			continue
		}
		w := at(c, groupOf(c.hit.Text))
		if w.enqueued < 0 {
			w.enqueued, w.ended = whole(c.hit.Captures[1]), whole(c.hit.Captures[2])
		}
		if m := failedWork.FindStringSubmatch(c.hit.Text); m != nil && w.sequence < 0 {
			w.sequence = whole(m[1])
		}
	}
	for i := range all {
		c := &all[i]
		if c.healed || c.rank < 0 || c.hit.Signature != "nccl-watchdog" || len(c.hit.Captures) < 4 {
			continue
		}
		if w := at(c, groupOfWork(works, c)); w.op == "" {
			w.sequence, w.op, w.elements = whole(c.hit.Captures[1]), c.hit.Captures[2], c.hit.Captures[3]
			w.hit, w.log = c.hit, c.log
		}
	}
	return append(works, flightWorks(all)...)
}

// groupOfWork returns the group of a watchdog's line that does not name it:
// the group for which the rank reports this number as failed, or the only
// group that any rank names.
func groupOfWork(works []work, c *candidate) string {
	only, several := "", false
	for i := range works {
		w := &works[i]
		if w.rank == c.rank && w.sequence >= 0 && w.sequence == whole(c.hit.Captures[1]) {
			return w.group
		}
		several = several || only != "" && w.group != "" && w.group != only
		only = cmp.Or(only, w.group)
	}
	if several {
		return ""
	}
	return only
}

// byGroup returns the works of each group, those in which a collective timed
// out first. A heartbeat's report about the default group means little when
// another group hangs.
func byGroup(works []work) [][]work {
	var groups [][]work
	for _, failed := range []bool{true, false} {
		for i := range works {
			name := works[i].group
			known := slices.ContainsFunc(groups, func(g []work) bool { return g[0].group == name })
			timedOut := slices.ContainsFunc(works, func(w work) bool { return w.group == name && w.sequence >= 0 })
			if known || timedOut != failed {
				continue
			}
			groups = append(groups, slices.DeleteFunc(slices.Clone(works), func(w work) bool { return w.group != name }))
		}
		if len(groups) > 0 {
			break
		}
	}
	return groups
}

func whole(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// outOfStep finds two ranks that wait in different collectives of the same
// number. Where all others agree, the rank that differs from them is the root.
func outOfStep(works []work) (candidate, bool) {
	for i := range works {
		for k := range works[:i] {
			a, b := &works[k], &works[i]
			if a.sequence < 0 || a.sequence != b.sequence || !a.differs(b) {
				continue
			}
			c := candidate{cause: "nccl-desync", weight: weightCollective + 1, rank: b.rank, at: a.hit.Time, hit: b.hit, log: b.log, ranks: []int{a.rank, b.rank}, nobody: true, beside: a}
			if odd := oddOne(works, a, b); odd != nil {
				c.rank, c.nobody = odd.rank, false
			}
			c.title = fmt.Sprintf("Ranks %d and %d run different collectives under the same number %d: %s and %s", a.rank, b.rank, a.sequence, a.describe(), b.describe())
			return c, true
		}
	}
	return candidate{}, false
}

// oddOne returns that of two ranks in different collectives which differs from all
// other ranks that wait under this number, if they agree with the other one; nil
// where there are no others.
func oddOne(works []work, a, b *work) *work {
	withA, withB := 0, 0
	for i := range works {
		w := &works[i]
		if w.rank == a.rank || w.rank == b.rank || w.sequence != a.sequence || w.op == "" {
			continue
		}
		if w.differs(a) {
			withB++
		}
		if w.differs(b) {
			withA++
		}
	}
	switch {
	case withA == 0 && withB > 0:
		return a
	case withB == 0 && withA > 0:
		return b
	}
	return nil
}

// differs reports whether two ranks cannot be in one operation.
func (w *work) differs(other *work) bool {
	switch {
	case w.op == "" || other.op == "":
		return false
	case w.op != other.op:
		return !pairwise[w.op] && !pairwise[other.op]
	}
	return !pairwise[w.op] && !uneven[w.op] && w.elements != other.elements && w.elements != "" && other.elements != ""
}

// Operations of PyTorch (c10d/OpType) between two ranks, which have other
// names and other numbers on either side, and those that may move more for one
// rank than for another. Several in one are called COALESCED, whatever they
// are.
var (
	pairwise = map[string]bool{"SEND": true, "RECV": true, "RECVANYSOURCE": true, "COALESCED": true}
	uneven   = map[string]bool{"ALLTOALL": true, "ALLTOALL_BASE": true, "GATHER": true, "SCATTER": true}
)

func (w *work) describe() string {
	if w.elements == "" {
		return w.op
	}
	return w.op + " of " + w.elements + " elements"
}

func (w *work) evidence() train.Evidence {
	c := candidate{rank: w.rank, at: w.hit.Time, hit: w.hit, log: w.log}
	return c.evidence()
}

// weightCollective is just above that of the watchdog's own lines.
const weightCollective = 30

// behind finds the rank that enqueued least, when it is the only one.
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
		return candidate{}, false // some print one number, some the other
	}
	slices.SortStableFunc(comparable, func(a, b work) int { return cmp.Compare(measure(&a), measure(&b)) })
	least := &comparable[0]
	ahead := slices.IndexFunc(comparable, func(w work) bool { return measure(&w) > measure(least) })
	if ahead < 0 || 2*ahead > len(comparable) {
		return candidate{}, false // if most are behind, none is
	}
	c := candidate{cause: "one-rank-behind", weight: weightCollective, rank: least.rank, at: least.hit.Time, hit: least.hit, log: least.log, nobody: ahead > 1, beside: &comparable[ahead]}
	for _, w := range comparable[:ahead] {
		c.ranks = append(c.ranks, w.rank)
	}
	c.title = fmt.Sprintf("%s is behind: it reached collective %d%s, the others %d or more, and they wait for it", capital(termtext.Ranks(c.ranks)), measure(least), inGroup(least.group), measure(&comparable[ahead]))
	if ahead > 1 {
		c.title = fmt.Sprintf("%s are behind: they reached collective %d%s, the others %d or more, and they wait for them", capital(termtext.Ranks(c.ranks)), measure(least), inGroup(least.group), measure(&comparable[ahead]))
	}
	return c, true
}

// inGroup names a process group that is not the default one.
func inGroup(group string) string {
	_, name, described := strings.Cut(strings.TrimSuffix(group, ")"), "(")
	if !described || name == "default_pg" || name == "" {
		return ""
	}
	return " of group " + name
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// silentPeer finds the one rank that prints nothing while all others report
// that they lost a peer or timed out.
func silentPeer(rankLogs []rankLog, all []candidate) []candidate {
	if len(rankLogs) < 2 || slices.ContainsFunc(rankLogs, func(v rankLog) bool { return v.rank < 0 }) {
		return nil
	}
	complains, speaks := map[int]*candidate{}, map[int]bool{}
	for i := range all {
		c := &all[i]
		waits := c.tier() == tierLost || c.cause == "rendezvous-timeout"
		if c.tier() <= tierGeneral && !c.healed && !waits {
			return nil // a rank has an error of its own
		}
		if isCollective(c.cause) && !c.healed {
			rank := c.hitRank(rankLogs)
			speaks[rank] = true // a watchdog that only aborts its process counts as a report as well
			if waits {
				complains[rank] = c
			}
		}
	}
	var silent []int
	for i := range rankLogs {
		if !speaks[rankLogs[i].rank] {
			silent = append(silent, rankLogs[i].rank)
		}
	}
	if len(silent) != 1 || silent[0] < 0 || len(complains) < len(rankLogs)-1 || len(complains) == 0 {
		return nil
	}
	rank := silent[0]
	if at := slices.IndexFunc(rankLogs, func(v rankLog) bool { return v.rank == rank }); saysItWaits(&rankLogs[at]) && slices.ContainsFunc(all, func(c candidate) bool { return c.cause == "rendezvous-timeout" && !c.healed }) {
		return nil
	}
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
	if !first.symptom { // a rendezvous, which weighs as much as an error of one's own
		weight = first.weight + 1
	}
	c := candidate{cause: cause, weight: weight, symptom: first.symptom, rank: rank, at: first.at, hit: first.hit, log: first.log, ranks: []int{rank}, byPod: true}
	c.title = fmt.Sprintf("Rank %d says nothing while all other ranks wait for it or lost it", rank)
	c.quoteLast(rankLogs)
	return []candidate{c}
}

// waitsThere matches words of a rank that came to the rendezvous, and waits for the others there.
var waitsThere = regexp.MustCompile(`(?i)\bwait(?:s|ing)? (?:for|until)\b|\blisten(?:s|ing)?\b`)

// saysItWaits reports whether the last line of a rank states that it waits for
// others.
func saysItWaits(v *rankLog) bool {
	if len(v.logs) == 0 {
		return false
	}
	lines := v.logs[len(v.logs)-1].Lines
	return lines.Len() > 0 && waitsThere.MatchString(lines.Plain(lines.Len()-1))
}

// stalledOps reads the ranks that Horovod names: the missing ones, or the
// ready ones, which leaves the others.
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
			named.title = fmt.Sprintf("Horovod waits for %s: the other ranks have submitted their tensors", termtext.Ranks(ranks))
		} else if absent := gaps(ranks); len(absent) > 0 {
			named.ranks = absent
			if len(absent) == 1 {
				named.rank, named.nobody = absent[0], false
			}
			named.title = fmt.Sprintf("Horovod waits for %s and possibly ranks above %d: the ranks named as ready are not the ones at fault", termtext.Ranks(absent), slices.Max(ranks))
		} else {
			continue
		}
		return []candidate{named}
	}
	return nil
}

// gaps returns the ranks below the greatest that are not in the list.
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

// quoteLast quotes the last line of the silent rank in front of the line that names it. One
// behind its last step may show why it ended, in words that no rule knows.
func (c *candidate) quoteLast(rankLogs []rankLog) {
	at := slices.IndexFunc(rankLogs, func(v rankLog) bool { return v.rank == c.rank })
	if at < 0 || len(rankLogs[at].logs) != 1 {
		return
	}
	log := rankLogs[at].logs[0]
	n := log.Lines.Len() - 1
	for n >= 0 && strings.TrimSpace(log.Lines.Plain(n)) == "" {
		n--
	}
	if n < 0 {
		return
	}
	last := log.Lines.At(n)
	c.beside = &work{rank: c.hitRank(rankLogs), hit: c.hit, log: c.log}
	c.log, c.hit.Line, c.hit.Text, c.hit.Time, c.hit.Rank, c.hit.Frame = log, last.Number, safe(log.Lines.Plain(n)), last.Time, c.rank, ""
	switch rows := log.Samples.Rows; {
	case len(rows) == 0:
		c.title += "; its last line is: " + termtext.Short(c.hit.Text, 120)
	case rows[len(rows)-1].Line < last.Number:
		c.doubtful = true
		c.title = fmt.Sprintf("Rank %d ended first, and all other ranks wait for it or lost it; its last line is: %s", c.rank, termtext.Short(c.hit.Text, 120))
	}
}

// hitRank returns the rank whose log has the candidate's line.
func (c *candidate) hitRank(rankLogs []rankLog) int {
	at := slices.IndexFunc(rankLogs, func(v rankLog) bool { return slices.Contains(v.logs, c.log) })
	if at < 0 {
		return c.hit.Rank
	}
	return rankLogs[at].rank
}
