package charts

import (
	"slices"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// strip is one metric over the x axis.
type strip struct {
	metric string
	// over is drawn on the same scale, "" for none: the evaluation's loss over
	// that of training.
	over   string
	height int
}

// usual are the metrics that are shown by default, in the order of the strips.
// Accelerators' rows come after throughput when there are any: see withGPUs.
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

// throughput is the index in usual of the speed of training.
const throughput = 4

// mainOf is the main metric of a run: the loss, or its substitute.
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

// usualOf are the metrics of a run that are shown by default, the main one
// first.
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
	train.MetricTFLOPS: "TFLOP/s", gpuStrip: "GPU",
}

// nameOf is a metric's name on the screen, cut to fit: the program chose it, so
// it may be a secret.
func nameOf(metric string) string {
	if short, known := shorts[metric]; known {
		return short
	}
	return redact.Text(metric)
}

// Heights of strips, found by feel: below leastMain a curve has no shape.
const (
	leastMain  = 6
	smallStrip = 3
	largeStrip = 5
)

// withGPUs returns the metrics with the rows of GPUs after the metric of
// training speed, or else after the main one.
func withGPUs(metrics []string) []string {
	at := min(1, len(metrics))
	for i, metric := range metrics {
		if slices.Contains(usual[throughput], metric) {
			at = i + 1
		}
	}
	return slices.Insert(slices.Clone(metrics), at, gpuStrip)
}

// gpuPart is the part of the height that rows of GPUs may take, by feel.
const gpuPart = 4

// arrange gives heights to the strips that fit, the focused one the most; from
// is the first of the others that is shown. Those at the bottom are left out
// first. Rows of GPUs get no more lines than there are rows.
func arrange(metrics []string, focus string, from, height, gpuRows int) []strip {
	small := smallStrip
	if height >= leastMain*2+len(metrics)*largeStrip {
		small = largeStrip
	}
	strips := []strip{{metric: focus}}
	left := height - leastMain
	for _, metric := range metrics {
		takes := small
		if metric == gpuStrip {
			takes = min(gpuRows, max(small, height/gpuPart))
		}
		switch {
		case metric == focus:
		case from > 0:
			from--
		case takes > left:
			left = 0
		default:
			strips = append(strips, strip{metric: metric, height: takes})
			left -= takes
		}
	}
	others := 0
	for _, st := range strips {
		others += st.height
	}
	strips[0].height = max(1, height-others)
	return strips
}
