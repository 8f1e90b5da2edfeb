package metrics

import "github.com/traintop/traintop/sources/metrics/readings"

// The types of a text's content have their own package, which the readers of tools share.
type (
	Answer  = readings.Answer
	Format  = readings.Format
	Origin  = readings.Origin
	Problem = readings.Problem
	Usage   = readings.Usage
)

// Limits of one text, and the format of a text that is not read.
const (
	MaxText  = readings.MaxText
	MaxGPUs  = readings.MaxGPUs
	NoFormat = readings.NoFormat
)

// NoGPUs is the note of an exporter's page that is valid and contains no GPU,
// NoGPUSeries that of an answer of Prometheus.
const (
	NoGPUs      = "no GPU metrics"
	NoGPUSeries = "series without GPU metrics"
)
