package logfindings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

const (
	// hugeLoss is above losses that are a mean; some programs print sums that
	// reach it.
	hugeLoss = 1e6
	// steepLoss is how far above all before it the last loss of a text must be
	// for a finding, when at least so many precede it, or its gradients are
	// huge.
	steepLoss, steepAfter = 10, 3
	// hugeGradient is a gradient norm with which no training continues.
	hugeGradient = 1e6
	// meanLoss is how far the loss of Megatron-LM, a mean over a global batch
	// and over the steps between two lines, must have risen above the least
	// before for a finding, and meanStays how far above that it must end: of
	// BigScience's runs those that were lost rose by half at least (chronicles
	// of tr8-104B-wide), and where it rose at each of their lines meanClimb is
	// enough.
	meanLoss, meanStays, meanClimb = 1.5, 1.1, 1.3
	// highFor points of any loss that are all highFactor times above at least
	// two before give a finding as well.
	highFor, highFactor = 3, 2
)

// raisedLosses finds a loss that ends far above all before it, or is huge: its last
// point alone allows no judgement, so it is a possibility.
func raisedLosses(job *train.Job, rankLogs []rankLog, words Wording) []train.Finding {
	for i := range rankLogs {
		for _, log := range rankLogs[i].logs {
			loss := log.Samples.Column(train.MetricLoss)
			if loss == nil || len(loss.Values) == 0 {
				continue
			}
			last := len(loss.Values) - 1
			value, before := loss.Values[last], loss.Values[:last]
			switch {
			case value > hugeLoss, steep(log.Samples.Column(train.MetricGradNorm), before, value):
			case staysHigh(loss.Values):
			case strings.Contains(lineText(log, log.Samples.Rows[loss.Row[last]].Line), "lm loss:") && rose(loss.Values):
			default:
				continue
			}
			cause, said := train.Cause("loss-spike"), "the loss has risen, to"
			if math.IsInf(value, 0) || math.IsNaN(value) {
				cause, said = "nan-loss", "the loss is not a number:"
			}
			c := fromRow(&rankLogs[i], log, loss, last, cause, 50)
			f := c.finding(job, words(c.cause))
			f.Severity, f.Confidence = train.SeverityInfo, train.Possible
			f.Title = fmt.Sprintf("Perhaps: %s %.3g at %s", said, value, stepOf(&log.Samples.Rows[loss.Row[last]]))
			return []train.Finding{f}
		}
	}
	return nil
}

// rose reports values that rose and have not come back.
func rose(values []float64) bool {
	if n := len(values); n > 2 && values[0] > 0 && slices.IsSorted(values) && values[n-1] > meanClimb*values[0] {
		return true
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, value := range values {
		if value > meanLoss*least {
			most = max(most, value)
		}
		if least > value && math.IsInf(most, -1) {
			least = value
		}
	}
	return least > 0 && most > meanLoss*least && values[len(values)-1] > meanStays*least
}

// staysHigh reports few values of which the last are all far above all before.
func staysHigh(values []float64) bool {
	n := len(values)
	if n < 2+highFor || n >= spikeBefore+2*spikeTail {
		return false
	}
	for first := 2; first <= n-highFor; first++ {
		if before := slices.Max(values[:first]); before > 0.05 && slices.Min(values[first:]) > highFactor*before {
			return true
		}
	}
	return false
}

// steep reports a loss far above those before it.
func steep(gradients *series.Column, before []float64, loss float64) bool {
	if len(before) == 0 || !(slices.Max(before) > 0) || !(loss > steepLoss*slices.Max(before)) {
		return false
	}
	return len(before) >= steepAfter || gradients != nil && len(gradients.Values) > 0 && gradients.Values[len(gradients.Values)-1] > hugeGradient
}
