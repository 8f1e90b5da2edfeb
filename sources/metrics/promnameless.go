package metrics

import (
	"encoding/json"
	"strings"

	"github.com/traintop/traintop/train"
)

// nameless are series of an answer without the name of a metric: what a function or
// an aggregation computes. Its labels still show a GPU and who holds it; what was
// measured is unknown.
var nameless = exporter{
	source:  train.FromPrometheus,
	measure: func(string) *measure { return nil },
	device:  func(t *tags) bool { return strings.HasPrefix(t.uuid, "GPU-") || strings.HasPrefix(t.uuid, "MIG-") },
}

// isSeriesList reports whether the result of an answer that does not state its type is
// a list of series.
func isSeriesList(result json.RawMessage) bool {
	var all []struct{ Metric map[string]string }
	return json.Unmarshal(result, &all) == nil && len(all) > 0 && all[0].Metric != nil
}
