package formats

import (
	"bytes"
	"encoding/json"

	"github.com/traintop/traintop/train"
)

var mlperf = format{
	name:   `MLPerf logging`,
	source: `mlcommons/logging 1.x to 4.x`,
	about:  `one event as JSON, its epoch or step among the metadata`,
	read:   (*Parser).readMLPerf,
	examples: []example{
		{lines: []string{
			`:::MLLOG {"namespace": "", "time_ms": 1665041286184, "event_type": "POINT_IN_TIME", "key": "eval_accuracy", "value": 0.3415, "metadata": {"file": "train.py", "lineno": 502, "epoch_num": 7}}`,
		}, want: `epoch=7 eval_accuracy=0.3415`},
	},
}

// readMLPerf parses ":::MLLOG {json}" of mlcommons/logging (mlperf_logging 1.x to 4.x):
// a key, a value, and the epoch or step in the metadata. Settings and times have the
// same form, so only measurements count.
func (p *Parser) readMLPerf(l *line) bool {
	if !bytes.HasPrefix(l.text, []byte(":::ML")) {
		return false
	}
	open := bytes.IndexByte(l.text, '{')
	if open < 0 {
		return true
	}
	var event struct {
		Key      string
		Value    any
		Metadata map[string]any
	}
	if json.Unmarshal(l.text[open:], &event) != nil {
		return true
	}
	v, isNumber := event.Value.(float64)
	k := classify([]byte(event.Key), &p.pairs.words)
	if !isNumber || !k.class.meter() || k.class == classLR {
		return true
	}
	pt := &p.pairs.point
	pt.reset()
	pt.metadata(event.Metadata)
	if !pt.positioned() {
		return true
	}
	pt.add(mlperfName(k.class, event.Key), v)
	pt.atLeast(metric)
	p.accept(l, pt)
	return true
}

func mlperfName(c class, key string) string {
	switch c {
	case classLoss:
		return train.MetricLoss
	case classEvalLoss:
		return train.MetricEvalLoss
	case classAccuracy:
		return train.MetricAccuracy
	}
	return key
}

func (p *point) metadata(values map[string]any) {
	for _, name := range [...]string{"step_num", "step", "iteration"} {
		if v, ok := values[name].(float64); ok {
			p.hasStep, p.step = true, v
		}
	}
	for _, name := range [...]string{"epoch_num", "epoch"} {
		if v, ok := values[name].(float64); ok {
			p.hasEpoch, p.epoch = true, v
		}
	}
}
