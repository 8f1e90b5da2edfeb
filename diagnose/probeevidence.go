package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// byJob groups the results of checks by job, those of one check together,
// ranks in order. Results of pods without a job are evidence of nothing.
func byJob(all []ProbeAnswer) map[train.JobID][]ProbeAnswer {
	if len(all) == 0 {
		return nil
	}
	jobs := map[train.JobID][]ProbeAnswer{}
	for _, a := range all {
		if a.Job != "" {
			jobs[a.Job] = append(jobs[a.Job], a)
		}
	}
	for _, answers := range jobs {
		slices.SortStableFunc(answers, func(a, b ProbeAnswer) int {
			return cmp.Or(cmp.Compare(a.Probe, b.Probe), cmp.Compare(a.Rank, b.Rank))
		})
	}
	return jobs
}

// addAnswers adds the results of checks in the ranks as evidence to the
// findings whose steps name the check.
func addAnswers(s *rule.JobContext, found []train.Finding, probes []ProbeAnswer) {
	for i := range found {
		f := &found[i]
		for k := range f.Next {
			if id := f.Next[k].Probe; id != "" {
				f.Evidence = append(f.Evidence, probeEvidence(s, id, probes)...)
			}
		}
	}
}

// sameResult are ranks with the same result of a check.
type sameResult struct {
	ProbeAnswer
	ranks []int
}

// mostAnswers is how many different results of one check a finding shows.
const mostAnswers = 4

// probeEvidence returns the results of one check, bad or odd ones first, equal
// results as one fact.
func probeEvidence(s *rule.JobContext, id string, probes []ProbeAnswer) []train.Evidence {
	var groups []sameResult
	for _, a := range probes {
		if a.Probe == id {
			groups = joinAlike(groups, a)
		}
	}
	slices.SortStableFunc(groups, func(a, b sameResult) int { return cmp.Compare(mildness(a.ProbeAnswer), mildness(b.ProbeAnswer)) })
	var evidence []train.Evidence
	for i, g := range groups {
		if i == mostAnswers-1 && len(groups) > mostAnswers {
			evidence = append(evidence, otherAnswers(s, groups[i:]))
			break
		}
		evidence = append(evidence, answered(s, g))
	}
	return evidence
}

func joinAlike(groups []sameResult, a ProbeAnswer) []sameResult {
	for i := range groups {
		if g := &groups[i]; g.Line == a.Line && g.Bad == a.Bad && g.Odd == a.Odd {
			g.ranks = append(g.ranks, a.Rank)
			g.At = runtime.Later(g.At, a.At)
			return groups
		}
	}
	return append(groups, sameResult{a, []int{a.Rank}})
}

func mildness(a ProbeAnswer) int {
	switch {
	case a.Bad:
		return 0
	case a.Odd:
		return 1
	}
	return 2
}

// answered returns the evidence of ranks with the same result.
func answered(s *rule.JobContext, g sameResult) train.Evidence {
	e := train.Evidence{Kind: train.EvidenceProbe, Field: g.Probe, Rank: -1, Text: rule.Plain(g.Line), Time: g.At}
	if len(g.ranks) > 1 {
		e.Text = fmt.Sprintf("ranks %s: %s", termtext.RankRanges(g.ranks), e.Text)
		return e
	}
	e.Rank = g.ranks[0]
	for i := range s.Job.Ranks {
		if r := &s.Job.Ranks[i]; r.Index == e.Rank && r.Pod != "" {
			e.Object = r.PodRef()
		}
	}
	return e
}

// otherAnswers counts the results that do not fit.
func otherAnswers(s *rule.JobContext, groups []sameResult) train.Evidence {
	n := 0
	e := train.Evidence{Kind: train.EvidenceProbe, Field: groups[0].Probe, Rank: -1}
	for _, g := range groups {
		n += len(g.ranks)
		e.Time = runtime.Later(e.Time, g.At)
	}
	e.Text = fmt.Sprintf("%d other ranks, each with an answer of its own", n)
	if len(groups) < n {
		e.Text = fmt.Sprintf("%d other ranks with %d answers", n, len(groups))
	}
	return e
}
