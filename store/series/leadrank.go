package series

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// leadRank is the rank whose progress is used as the run's.
type leadRank struct {
	*rankSeries
	column *Column
	// attempts are the tracks of the column in each attempt of the rank,
	// oldest first.
	attempts []Track
}

// leadRank picks the lowest rank of those that print the loss and are not
// behind the others.
func (r *Run) leadRank() leadRank {
	columns := make([]*Column, len(r.rankSeries))
	best, newest := int8(math.MaxInt8), int64(0)
	for i := range r.rankSeries {
		if c := r.rankSeries[i].lossColumn(); c != nil {
			columns[i], best = c, min(best, c.order)
		}
	}
	for i, c := range columns {
		if c != nil && c.order > best {
			columns[i] = nil // it prints other metrics
		} else if c != nil {
			newest = max(newest, timeOf(&r.rankSeries[i], c))
		}
	}
	chosen := -1
	for i, c := range columns {
		if c == nil || i+1 < len(columns) && columns[i+1] != nil && sameSeries(&r.rankSeries[i], &r.rankSeries[i+1]) {
			continue // no sample, or a later instance continues
		}
		if chosen < 0 || behind(timeOf(&r.rankSeries[chosen], columns[chosen]), newest) && !behind(timeOf(&r.rankSeries[i], c), newest) {
			chosen = i
		}
	}
	if chosen < 0 {
		return leadRank{}
	}
	return r.leadBy(&r.rankSeries[chosen], columns[chosen])
}

// LossRank returns the rank whose loss Progress has. own is false where it is that of all
// ranks that print one.
func (r *Run) LossRank() (rank int, own bool) {
	l := r.leadRank()
	if l.rankSeries == nil || l.column.order >= orderNone || l.index < 0 {
		return 0, false
	}
	tracks := r.Tracks(l.column.Name)
	return l.index, slices.ContainsFunc(tracks, func(t Track) bool {
		return t.Len() > 0 && t.Rank >= 0 && t.RankIndex != l.index
	})
}

// Furthest returns the highest step and epoch of all attempts, NaN where there is none. After
// a resumption they are higher than those of Progress.
func (r *Run) Furthest() (step, epoch float64) {
	step, epoch = r.Step, r.Epoch
	l := r.leadRank()
	for i := range l.attempts {
		t := &l.attempts[i]
		if t.Len() == 0 {
			continue
		}
		newest := &t.Rows[t.Row[t.Len()-1]]
		if t.Unit >= UnitSteps && !(newest.X <= step) {
			step = newest.X
		}
		if newest.Epoch > epoch || math.IsNaN(epoch) {
			epoch = newest.Epoch
		}
	}
	return step, epoch
}

func (r *Run) leadBy(s *rankSeries, c *Column) leadRank {
	l := leadRank{rankSeries: s, column: c}
	for i := range r.rankSeries {
		if sameSeries(&r.rankSeries[i], s) {
			l.attempts = r.rankSeries[i].appendTracks(l.attempts, c.Name)
		}
	}
	return l
}

func timeOf(s *rankSeries, c *Column) int64 { return s.Table.Rows[c.Row[len(c.Row)-1]].Time }

// behind reports whether a rank printed nothing for a minute while another
// did.
func behind(at, newest int64) bool { return newest-at > int64(time.Minute) }

// lossColumn returns the column used as the loss. Where a policy is trained
// (TRL's GRPO) the loss is 0 for long and the reward shows progress.
func (s *rankSeries) lossColumn() *Column {
	var best, reward *Column
	for i := range s.Table.Columns {
		c := &s.Table.Columns[i]
		if c.Rank != s.printedRank || len(c.Row) == 0 {
			continue
		}
		if best == nil || c.order < best.order {
			best = c
		}
		if c.order == orderReward && (reward == nil || c.Name == "reward") {
			reward = c // the total before its parts
		}
	}
	if reward != nil && best.order < orderReward && flat(best.Values) {
		return reward
	}
	return best
}

// A reward ranks behind every loss of the whole; orderNone metrics show speed
// or settings, not quality.
const (
	orderReward = 4
	orderPart   = 5 // a loss, possibly one of several
	orderNone   = 9
)

// lossOrder returns how well a metric shows how training goes; less is better.
func lossOrder(name string) int8 {
	name = strings.ToLower(name)
	switch {
	case name == train.MetricLoss:
		return 0
	case name == "total_loss":
		return 1
	case name == "lm loss" || name == "lm_loss":
		return 2
	case name == "train_loss":
		return 3
	case isReward(name):
		return orderReward
	case strings.Contains(name, "loss") && !isEvaluation(name) && !isAuxiliary(name):
		return orderPart
	case name == train.MetricEvalLoss:
		return 6
	case name == train.MetricAccuracy:
		return 7
	case isQuality(name):
		return 8
	}
	return orderNone
}

// IsLoss reports whether a metric that is used as the loss is one, not a
// reward, a score or a loss of validation.
func IsLoss(name string) bool { return lossOrder(name) < orderReward || lossOrder(name) == orderPart }

func isReward(name string) bool {
	return name == "reward" || strings.Contains(name, "rew") && strings.Contains(name, "mean") && !strings.Contains(name, "/std")
}

// isAuxiliary reports losses that are parts of another, and metrics that are
// only called loss.
func isAuxiliary(name string) bool {
	for _, part := range []string{"scale", "balanc", "aux", "z_loss", "z loss", "kl", "entropy"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// isQuality reports metrics of programs without a loss: boosted trees, games,
// rankings, segmentation.
func isQuality(name string) bool {
	for _, word := range []string{
		"rms", "mae", "mse", "mape", "error", "auc", "l1", "l2", "learn", "perplexity", "ppl", "bpb", "bpc", "nll", "elbo",
		"acc", "f1", "dice", "iou", "map", "ndcg", "psnr", "ssim", "fid", "bleu", "rouge", "wer", "cer", "score", "return", "reward", "elo",
	} {
		if strings.Contains(name, word) {
			return !strings.Contains(name, "learning")
		}
	}
	return false
}

// flat reports a loss whose newest values are mostly next to 0. It is called
// only where there is a reward.
func flat(values []float64) bool {
	newest := values[max(0, len(values)-32):]
	small := 0
	for _, v := range newest {
		if math.Abs(v) < 0.05 {
			small++
		}
	}
	return 2*small > len(newest)
}
