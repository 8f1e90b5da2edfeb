package logs

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// mostGuessed bounds the lines of one text that are read for words alone, and
// mostGuessedAll those of all ranks: that is for what people paste, not for the
// logs of whole runs.
const (
	mostGuessed    = 400
	mostGuessedAll = 2000
)

// FewLines is how many lines a text has that words alone are looked for in: 0
// for one that is longer, or that tells of training.
func FewLines(log *store.Log) int {
	if n := log.Lines.Len(); n <= mostGuessed && none(log.Lines.Dropped()) && len(log.Samples.Rows) == 0 {
		return n
	}
	return 0
}

func none(lines, bytes int64) bool { return lines == 0 && bytes == 0 }

// guess is what a text that holds no known wording may be about: the line whose
// words name a cause best. It is told as a possibility and no more, and not
// where training goes on after the line.
func guess(job *train.Job, voices []voice, words Wording) []train.Finding {
	if !job.LogsOnly {
		return nil
	}
	var best *candidate
	place, left := 0, mostGuessedAll
	for i := range voices {
		for _, log := range voices[i].logs {
			few := min(FewLines(log), left)
			left -= few
			for n := range few {
				line := log.Lines.At(n)
				cause, at, found := signatures.Hint(line.Text)
				if !found || best != nil && at >= place {
					continue
				}
				hit := train.LogHit{Cause: cause, Line: line.Number, Time: line.Time, Text: line.Text, Rank: -1}
				if c := (candidate{cause: cause, rank: voices[i].rank, at: line.Time, hit: hit, log: log}); !healed(log, &hit) {
					best, place = &c, at
				}
			}
		}
	}
	if best == nil {
		return risen(job, voices, words)
	}
	w := words(best.cause)
	f := best.finding(job, len(voices), w)
	f.Severity, f.Confidence, f.Title = train.SeverityInfo, train.Possible, "Perhaps: "+f.Title
	f.Explanation = "The text holds no wording that is known; this line has the words of such a cause. " + f.Explanation
	return []train.Finding{f}
}

const (
	// hugeLoss is above what losses are that are a mean of something; some
	// programs print sums that are.
	hugeLoss = 1e6
	// steepLoss is how far above all before it the last loss of a text is
	// worth a word, when at least so many stand before, or its gradients are huge.
	steepLoss, steepAfter = 10, 3
	// hugeGradient is a norm of gradients with which no training goes on.
	hugeGradient = 1e6
	// meanLoss is how far the loss of Megatron-LM, a mean over a global batch
	// and over the steps between two lines, must have risen above the least
	// before to be worth a word, and meanStays how far above that it must end:
	// of BigScience's runs those that were lost rose by half at least
	// (chronicles of tr8-104B-wide), and where it rose at each of their lines
	// meanClimb is enough.
	meanLoss, meanStays, meanClimb = 1.5, 1.1, 1.3
	// highFor points of any loss that all stand highFactor times above at
	// least two before are worth a word as well.
	highFor, highFactor = 3, 2
)

// risen is a loss that ends far above all before it, or is huge: no judgement
// can be made from its last point alone, so it is a possibility.
func risen(job *train.Job, voices []voice, words Wording) []train.Finding {
	for i := range voices {
		for _, log := range voices[i].logs {
			loss := log.Samples.Column(train.MetricLoss)
			if loss == nil || len(loss.Values) == 0 {
				continue
			}
			last := len(loss.Values) - 1
			value, before := loss.Values[last], loss.Values[:last]
			switch {
			case value > hugeLoss, steep(log.Samples.Column(train.MetricGradNorm), before, value):
			case stands(loss.Values):
			case strings.Contains(lineText(log, log.Samples.Rows[loss.Row[last]].Line), "lm loss:") && rose(loss.Values):
			default:
				continue
			}
			c := fromRow(&voices[i], log, loss, last, "loss-spike", 50)
			f := c.finding(job, len(voices), words(c.cause))
			f.Severity, f.Confidence = train.SeverityInfo, train.Possible
			f.Title = fmt.Sprintf("Perhaps: the loss has risen, to %.3g at %s", value, stepOf(&log.Samples.Rows[loss.Row[last]]))
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

// stands reports few values of which the last all stand far above all before.
func stands(values []float64) bool {
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

// mistakes are exceptions of a program that is wrong in itself, whatever the
// names are that they speak of.
var mistakes = regexp.MustCompile(`\b(?:Type|Key|Attribute|Index|Name|UnboundLocal|Syntax|Indentation|ZeroDivision|NotImplemented)Error\b`)

// narrow gives an exception of no known wording the cause that its own words
// name. What it says stays its title.
func (c *candidate) narrow() {
	if c.cause != "python-exception" || c.healed || mistakes.MatchString(c.hit.Text) {
		return
	}
	if cause, _, found := signatures.Hint(c.hit.Text); found {
		c.cause, c.narrowed = cause, true
	}
}
