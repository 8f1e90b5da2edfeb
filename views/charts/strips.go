package charts

import (
	"slices"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// strip is one metric over the x axis.
type strip struct {
	metric string
	// over is drawn on the same scale, "" for nothing: the evaluation's loss
	// over that of training.
	over   string
	height int
}

// usual are the metrics that are shown without being asked for, in the order
// of the strips. Accelerators' rows come after throughput when there are any.
var usual = [][]string{
	{train.MetricLoss},
	{train.MetricEvalLoss},
	{train.MetricLR},
	{train.MetricGradNorm},
	{train.MetricTokens, train.MetricSamples, train.MetricItsSecond},
	{train.MetricStepTime},
	{train.MetricMFU, train.MetricTFLOPS},
	{train.MetricAccuracy},
}

// mainOf is the metric that a run is about: the loss, or what stands for it.
func mainOf(run *series.Run) string {
	switch {
	case len(run.Tracks(train.MetricLoss)) > 0 && (run.LossName == "" || run.LossName == train.MetricLoss):
		return train.MetricLoss
	case len(run.Tracks(run.LossName)) > 0:
		return run.LossName
	}
	for _, metric := range run.Metrics {
		if len(run.Tracks(metric)) > 0 {
			return metric
		}
	}
	return ""
}

// usualOf are the metrics of a run that are shown without being asked for,
// the main one first.
func usualOf(run *series.Run) []string {
	main := mainOf(run)
	metrics := []string{main}
	for _, group := range usual {
		for _, metric := range group {
			if metric == main {
				break
			}
			if len(run.Tracks(metric)) > 0 {
				metrics = append(metrics, metric)
				break
			}
		}
	}
	if len(metrics) < 3 { // a run that prints other things: show some of them
		for _, metric := range run.Metrics {
			if len(metrics) < 4 && !slices.Contains(metrics, metric) && len(run.Tracks(metric)) > 0 {
				metrics = append(metrics, metric)
			}
		}
	}
	return metrics
}

// shorts are the names of metrics where there is little room.
var shorts = map[string]string{
	train.MetricEvalLoss: "eval loss", train.MetricGradNorm: "grad norm", train.MetricTokens: "tokens/s",
	train.MetricSamples: "samples/s", train.MetricItsSecond: "it/s", train.MetricStepTime: "s/step", train.MetricMFU: "MFU",
	train.MetricTFLOPS: "TFLOP/s",
}

// nameOf is a metric's name on the screen.
func nameOf(metric string) string {
	if short, known := shorts[metric]; known {
		return short
	}
	return metric
}

// Heights of strips, found by feel: below leastMain a curve has no shape.
const (
	leastMain  = 6
	smallStrip = 3
	largeStrip = 5
)

// arrange gives heights to the strips that fit, the focused one the most; from
// is the first of the others that is shown. Those at the bottom go first.
func arrange(metrics []string, focus string, from, height int) []strip {
	small := smallStrip
	if height >= leastMain*2+len(metrics)*largeStrip {
		small = largeStrip
	}
	fit := max(0, (height-leastMain)/small)
	strips := []strip{{metric: focus}}
	skipped := 0
	for _, metric := range metrics {
		if metric == focus {
			continue
		}
		if skipped < from {
			skipped++
			continue
		}
		if len(strips) <= fit {
			strips = append(strips, strip{metric: metric, height: small})
		}
	}
	strips[0].height = max(1, height-small*(len(strips)-1))
	return strips
}
