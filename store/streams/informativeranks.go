package streams

import (
	"slices"

	"github.com/traintop/traintop/train"
)

// maxFailing bounds the failing ranks that the rule adds of one job: when all
// fail, the first ones show why.
const maxFailing = 8

// informative returns the ranks whose logs are most informative: rank 0, those
// known to print metrics (until one is, the last rank too, which prints
// Megatron's), and failing ones.
func (c *chooser) informative(job *train.Job) []int {
	if len(job.Ranks) == 0 {
		return nil
	}
	ranks := []int{0}
	metrics := c.printing(job)
	if len(metrics) == 0 {
		metrics = []int{len(job.Ranks) - 1}
	}
	failed := 0
	for rank := range job.Ranks {
		if failing(&job.Ranks[rank]) && failed < maxFailing {
			failed++
			metrics = append(metrics, rank)
		}
	}
	for _, rank := range metrics {
		if !slices.Contains(ranks, rank) {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// printing returns the ranks that print the loss: the lowest one of those that
// print the same, according to the run.
func (c *chooser) printing(job *train.Job) []int {
	run := c.snapshot.Run(job)
	if run == nil || run.LossName == "" {
		return nil
	}
	for _, track := range run.Tracks(run.LossName) {
		if track.Rank >= 0 {
			return []int{track.Rank}
		}
	}
	return nil
}
