package comparison

import (
	"math"
	"slices"
	"strings"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// Stat is what a run has of one metric. Values that it does not have are NaN
// at the step NaN.
type Stat struct {
	// Best is the best value of a metric that has one, Last the newest, At that
	// of the last step up to Comparison.At at which all runs with the metric
	// printed it; where no step after 0 is one, the newest up to Comparison.At,
	// of another step in each run.
	Best, Last, At Value
	// Mean is that of all points, Max the largest; infinities and NaN left out.
	Mean, Max float64
}

// Value is a value and the position it was printed at.
type Value struct{ Value, Step float64 }

// Known reports whether there is a value; a NaN that was printed is one.
func (v Value) Known() bool { return !math.IsNaN(v.Step) }

func unknownValue() Value { return Value{math.NaN(), math.NaN()} }

// Direction is which values of a metric are better.
type Direction int

const (
	Neither Direction = 0 // it is a setting, or a sign of health: learning rate, gradient norm
	Lower   Direction = -1
	Higher  Direction = 1
)

// lowerWords and higherWords are words in names of metrics. Words of neither
// make a metric one that is not to be optimised, whatever else is in its name.
var (
	neitherWords = words("lr scale balanc aux kl entropy std temperature weight memory mem time epoch norm")
	lowerWords   = words("loss perplexity ppl error nll mse mae rmse mape wer cer fid bpb bpc")
	higherWords  = words("accuracy acc reward score return f1 auc iou dice bleu rouge ndcg psnr ssim elo recall precision")
)

// shareWords are words in names of metrics that are shares of a whole: some
// programs print them from 0 to 1, others in percent, and a Track does not know
// which.
var shareWords = words("accuracy acc f1 auc iou dice recall precision ndcg wer cer mfu")

// isShare reports whether a metric is a share of a whole.
func isShare(metric string) bool {
	return slices.ContainsFunc(nameWords(metric), func(word string) bool { return shareWords[word] })
}

// nameWords are the words of a metric's name.
func nameWords(metric string) []string {
	return strings.FieldsFunc(strings.ToLower(metric), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
}

func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(text) {
		all[word] = true
	}
	return all
}

// Better returns which values of a metric are better.
func Better(metric string) Direction {
	switch metric {
	case train.MetricStepTime:
		return Lower
	case train.MetricTokens, train.MetricSamples, train.MetricItsSecond, train.MetricMFU, train.MetricTFLOPS:
		return Higher
	}
	d := Neither
	for _, word := range nameWords(metric) {
		switch {
		case neitherWords[word]:
			return Neither
		case lowerWords[word] || strings.HasSuffix(word, "loss"):
			d = Lower
		case higherWords[word]:
			d = Higher
		}
	}
	return d
}

// Speed reports whether a metric measures speed: of it the mean is compared, not
// the best moment.
func Speed(metric string) bool {
	switch metric {
	case train.MetricStepTime, train.MetricTokens, train.MetricSamples, train.MetricItsSecond, train.MetricMFU, train.MetricTFLOPS:
		return true
	}
	return false
}

// part is the points of one attempt that no later attempt repeated.
type part struct {
	track *series.Track
	kept  int
}

// leadLine are the attempts of the first rank that prints a metric, oldest
// first.
func leadLine(run *series.Run, metric string) []part {
	tracks := run.Tracks(metric)
	var line []part
	for i := range tracks {
		t := &tracks[i]
		if t.Len() > 0 && (len(line) == 0 || t.Rank == line[0].track.Rank && t.RankIndex == line[0].track.RankIndex && (t.Rank >= 0 || t.Stream == line[0].track.Stream)) {
			line = append(line, part{t, t.Len()})
		}
	}
	from := math.Inf(1)
	for i := len(line) - 1; i >= 0; i-- {
		p := &line[i]
		for p.kept > 0 && !(p.track.X(p.kept-1) < from) {
			p.kept--
		}
		from = min(from, p.track.X(0))
	}
	return line
}

// measure computes the stats of a metric of all runs.
func (c *Comparison) measure(metric string) {
	lines := make([][]part, len(c.Runs))
	for i := range c.Runs {
		lines[i] = c.Runs[i].line(metric)
	}
	at := c.At
	if common := commonStep(lines, at); common > 0 {
		at = common
	}
	for i, line := range lines {
		if len(line) > 0 {
			c.Runs[i].Stats[metric] = statOf(line, Better(metric), at)
		}
	}
}

// commonStep is the last position up to at where all lines with points have
// one, NaN without one.
func commonStep(lines [][]part, at float64) float64 {
	last := make([]position, len(lines))
	for i, line := range lines {
		last[i] = newestOf(line)
	}
	for agreed := 0; agreed < len(lines); {
		agreed = 0
		for i, line := range lines {
			if len(line) == 0 {
				agreed++
				continue
			}
			x, found := last[i].until(line, at)
			if !found {
				return math.NaN()
			}
			if x == at {
				agreed++
			}
			at = x
		}
	}
	return at
}

// position is one of the kept points of a line.
type position struct{ part, point int }

func newestOf(line []part) position {
	if len(line) == 0 {
		return position{}
	}
	return position{len(line) - 1, line[len(line)-1].kept - 1}
}

// until goes back to the last point at or before x, and returns where that is.
func (p *position) until(line []part, x float64) (float64, bool) {
	for p.part >= 0 {
		for ; p.point >= 0; p.point-- {
			if got := line[p.part].track.X(p.point); got <= x {
				return got, true
			}
		}
		if p.part--; p.part >= 0 {
			p.point = line[p.part].kept - 1
		}
	}
	return 0, false
}

func (r *Run) line(metric string) []part {
	if r.run == nil {
		return nil
	}
	return leadLine(r.run, metric)
}

func statOf(line []part, better Direction, at float64) Stat {
	s := Stat{Best: unknownValue(), Last: unknownValue(), At: unknownValue(), Mean: math.NaN(), Max: math.NaN()}
	newest := line[len(line)-1].track
	s.Last = Value{newest.Values[newest.Len()-1], newest.X(newest.Len() - 1)}
	sum, values := 0.0, 0.0
	for _, p := range line {
		for i, v := range p.track.Values[:p.kept] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			s.Max = maxKnown(s.Max, v)
			if better == Lower && !(v >= s.Best.Value) || better == Higher && !(v <= s.Best.Value) {
				s.Best = Value{v, p.track.X(i)}
			}
		}
		more, of := sumOf(p)
		sum, values = sum+more, values+of
		if i := lastUntil(p, at); i >= 0 && !(p.track.X(i) < s.At.Step) {
			s.At = Value{p.track.Values[i], p.track.X(i)}
		}
	}
	if values > 0 {
		s.Mean = sum / values
	}
	return s
}

// sumOf returns the sum of the finite values of a part, and how many there are. Of a
// curve that was thinned to its extremes the mean of the attempt replaces that of the
// part.
func sumOf(p part) (sum, values float64) {
	whole := int64(0)
	for i, v := range p.track.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		whole++
		if i < p.kept {
			sum, values = sum+v, values+1
		}
	}
	mean, printed := p.track.Mean()
	if whole >= printed || p.kept == 0 {
		return sum, values
	}
	last := p.track.Len() - 1
	share := 1.0
	if length := p.track.X(last) - p.track.X(0); length > 0 {
		share = (p.track.X(p.kept-1) - p.track.X(0)) / length
	}
	return mean * share * float64(printed), share * float64(printed)
}

// lastUntil is the last kept point at or before a position, -1 without one.
func lastUntil(p part, at float64) int {
	for i := p.kept - 1; i >= 0; i-- {
		if p.track.X(i) <= at {
			return i
		}
	}
	return -1
}

// scales are the runs that print a share above 1, which is percent, and those
// that never do.
func (c *Comparison) scales(metric string) (percent, shares []string) {
	if !isShare(metric) {
		return nil, nil
	}
	for i, name := range c.Names() {
		s, has := c.Runs[i].Stats[metric]
		switch {
		case !has || math.IsNaN(s.Max):
		case s.Max > 1:
			percent = append(percent, name)
		default:
			shares = append(shares, name)
		}
	}
	return percent, shares
}

// better returns which values of a metric are better in this comparison: none
// where some runs print percent and others shares of 1.
func (c *Comparison) better(metric string) Direction {
	if percent, shares := c.scales(metric); len(percent) > 0 && len(shares) > 0 {
		return Neither
	}
	return Better(metric)
}
