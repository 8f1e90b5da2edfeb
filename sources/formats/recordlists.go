package formats

import (
	"bytes"
	"math"

	"github.com/traintop/traintop/train"
)

var recordLists = format{
	name:   `Lists of records, and a list for each metric`,
	source: `print(trainer.state.log_history), Keras' History.history as JSON or as a dict`,
	about:  `many records on one line, which a loop or a callback kept`,
	read:   readRecordList,
	examples: []example{
		{lines: []string{
			`[{'loss': 2.31, 'learning_rate': 5e-05, 'epoch': 0.1, 'step': 10}, {'eval_loss': 2.0, 'eval_runtime': 3.2, 'epoch': 0.1, 'step': 20}]`,
		}, want: `step=20 epoch=0.1 eval_loss=2`},
		{lines: []string{
			`{"loss": [0.9, 0.7, 0.5], "val_loss": [1.0, 0.8, 0.65], "lr": [0.001, 0.001, 0.0001]}`,
		}, want: `epoch=2 loss=0.5 eval_loss=0.65 lr=0.0001`},
		{lines: []string{
			`{"steps": [10, 20], "train_loss": [2.3, 2.1], "config": {"layers": [2, 4]}}`,
		}, want: `step=20 loss=2.1`},
		{lines: []string{
			`train_losses: [0.93, 0.71, 0.64]`,
			`val_losses: [0.95, 0.80, 0.75]`,
		}, want: `epoch=2 eval_loss=0.75`},
	},
}

// readRecordList parses a line with a list of records, or with a list for each metric.
// A text in front of it may end with a colon or an equals sign.
func readRecordList(p *Parser, l *line) bool {
	text := trimBlanks(l.text)
	n := len(text)
	for n > 0 && isBlank(text[n-1]) {
		n--
	}
	if text = text[:n]; n < len(`[{"a":1},{}]`) || text[n-1] != ']' && text[n-1] != '}' {
		return false
	}
	at := bytes.IndexByte(text, '[')
	if at < 0 || at+1 >= n {
		return false
	}
	if text[n-1] == ']' && text[at+1] != '{' {
		return l.stream.serial == l.stream.listed && readLosses(p, l, text[:at], text[at+1:n-1])
	}
	if text[n-1] == ']' {
		return text[at+1] == '{' && leadsToList(text[:at]) && readRecords(p, l, text[at+1:n-1])
	}
	open := bytes.IndexByte(text, '{')
	if open < 0 || open > at || !leadsToList(text[:open]) {
		return false
	}
	return readColumns(p, l, text[open+1:n-1])
}

// readLosses parses the losses of all epochs that a script prints at its end, "train_losses:
// [0.9, 0.7, 0.5]", in a log that has no positions. The name is in the plural: "loss: [0.9,
// 0.7]" has the parts of one step. The epochs are counted from 0, as Keras does.
func readLosses(p *Parser, l *line, name, inside []byte) bool {
	const least = 3
	name = bytes.TrimRight(name, " :=")
	if bytes.Count(inside, []byte(",")) < least-1 || len(name) > maxName || !bytes.HasSuffix(name, []byte("losses")) && !bytes.HasSuffix(name, []byte("Losses")) {
		return false
	}
	k := classify(name, &p.pairs.words)
	values, numeric := numberList(inside)
	if !numeric || k.class != classLoss && k.class != classEvalLoss || grows(values) {
		return false
	}
	for at := range values {
		acceptColumn(p, l, []metricList{{name, values, k}}, at, len(values), -1)
	}
	l.stream.listed = l.stream.serial
	return true
}

// leadsToList reports whether a text in front of a list is empty or ends as a name does.
func leadsToList(text []byte) bool {
	text = bytes.TrimRight(text, " \t")
	return len(text) == 0 || len(text) <= maxName && (text[len(text)-1] == ':' || text[len(text)-1] == '=') && bytes.IndexByte(text, '{') < 0
}

// readRecords parses the objects of a list one by one. Two of them are a list: one
// in brackets is a line like others. Each has a position, and one of the first two measures
// something: a list of results has no position, and a schedule of learning rates no measurement.
func readRecords(p *Parser, l *line, text []byte) bool {
	measured := false
	for rest, n := text, 0; n < 2; n++ {
		end := objectEnd(rest)
		if end == 0 {
			return false
		}
		pt := p.pairs.read(rest[:end])
		if !pt.positioned() {
			return false
		}
		measured = measured || pt.strength != weak && pt.strength != rateOnly
		rest = nextObject(rest[end:])
	}
	for measured && len(text) > 0 {
		end := objectEnd(text)
		if end == 0 { // the line was cut
			break
		}
		if bytes.IndexByte(text[1:end], '{') < 0 {
			l.text = text[:end]
			p.content(l)
		}
		text = nextObject(text[end:])
	}
	return true
}

// nextObject skips what separates the objects of a list.
func nextObject(text []byte) []byte { return bytes.TrimLeft(text, ", \t") }

// objectEnd returns the length of the object in braces with which text begins, 0 for none.
func objectEnd(text []byte) int {
	if len(text) == 0 || text[0] != '{' {
		return 0
	}
	depth, quote := 0, byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote && text[i-1] != '\\' {
				quote = 0
			}
		case isQuote(c):
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// maxLists bounds the lists of one object.
const maxLists = maxColumns

// metricList is the values of one metric in the order of their records.
type metricList struct {
	name   []byte
	values []float64
	kind   kind
}

// readColumns parses the inside of an object that has a list for each metric. As many
// numbers as the loss has belong to the same records. Their positions are a list too, or
// they are counted as epochs, which Keras does from 0.
func readColumns(p *Parser, l *line, text []byte) bool {
	lists, placed := metricLists(text, &p.pairs.words)
	lead, records := -1, 0
	for i := range lists {
		if c := lists[i].kind.class; (c == classLoss || c == classEvalLoss) && (lead < 0 || c == classLoss && lists[lead].kind.class != classLoss) {
			lead, records = i, len(lists[i].values)
		}
	}
	const least = 2
	if lead < 0 || records < least || placed >= 0 && placed != float64(records) && placed != float64(records-1) {
		return false
	}
	place, beside := -1, 0
	for i := range lists {
		list := &lists[i]
		if len(list.values) != records {
			continue
		}
		if (list.kind.class == classStep || list.kind.class == classEpoch) && grows(list.values) {
			if place < 0 || list.kind.class == classStep {
				place = i
			}
		} else if i != lead && list.kind.class.meter() {
			beside++
		}
	}
	if place < 0 && beside == 0 || place < 0 && countsOthers(lists, records) {
		return false
	}
	for at := range records {
		acceptColumn(p, l, lists, at, records, place)
	}
	return true
}

// acceptColumn accepts one record of the lists.
func acceptColumn(p *Parser, l *line, lists []metricList, at, records, place int) {
	pt := &p.pairs.point
	pt.reset()
	pt.strength, pt.separated = loss, true
	for i := range lists {
		list := &lists[i]
		if len(list.values) != records {
			continue
		}
		value := list.values[at]
		switch c := list.kind.class; {
		case c == classStep && i == place:
			pt.hasStep, pt.step, pt.scope, pt.scopeKnown = true, value, train.ScopeRun, true
		case c == classEpoch && grows(list.values):
			pt.hasEpoch, pt.epoch = true, value
		case !c.meter() || math.IsInf(value, -1): // null
		case c == classLoss:
			pt.add(train.MetricLoss, value)
		case c == classEvalLoss:
			pt.add(train.MetricEvalLoss, value)
		case c == classLR:
			pt.add(train.MetricLR, value)
		case c == classAccuracy && list.kind.eval, c == classEvalAccuracy:
			pt.add(evalAccuracy, value)
		case c == classAccuracy:
			pt.add(train.MetricAccuracy, value)
		default:
			pt.add(p.pairs.names.keep(list.name), value)
		}
	}
	if place < 0 {
		pt.hasEpoch, pt.epoch = true, float64(at)
	}
	if len(pt.metrics) > 0 {
		p.accept(l, pt)
	}
}

// countsOthers reports whether a list counts what the records are of, as ranks or folds.
func countsOthers(lists []metricList, records int) bool {
	for i := range lists {
		if list := &lists[i]; len(list.values) == records && !list.kind.class.meter() && records > 2 && grows(list.values) && list.values[records-1]-list.values[0] == float64(records-1) {
			return true
		}
	}
	return false
}

// grows reports whether each position is beyond the one before.
func grows(values []float64) bool {
	for i := range values {
		if i > 0 && !(values[i] > values[i-1]) || values[i] < 0 {
			return false
		}
	}
	return true
}

// metricLists returns the lists of numbers in an object, in their order. A list that is
// nested deeper is none of them. placed is the position that the object has of its own, -1
// for none: its lists are values at that position, unless it is the epoch in which the run
// ended.
func metricLists(text []byte, words *wordList) (lists []metricList, placed float64) {
	placed = -1
	for len(text) > 0 && len(lists) < maxLists {
		text = bytes.TrimLeft(text, ", \t")
		if len(text) == 0 || !isQuote(text[0]) {
			return lists, placed
		}
		end := bytes.IndexByte(text[1:], text[0])
		if end < 0 {
			return lists, placed
		}
		name := text[1 : 1+end]
		rest := bytes.TrimLeft(text[end+2:], " \t")
		if len(rest) < 2 || rest[0] != ':' {
			return lists, placed
		}
		rest = bytes.TrimLeft(rest[1:], " \t")
		length := valueLength(rest)
		if length == 0 {
			return lists, placed
		}
		if rest[0] == '[' {
			if values, numeric := numberList(rest[1 : length-1]); numeric {
				lists = append(lists, metricList{name, values, classifyList(name, words)})
			}
		} else if isDigit(rest[0]) {
			c := classify(name, words).class
			if v, _, ok := readValue(rest[:length], 0); ok && (c == classStep || c == classEpoch) {
				placed = v.number
				if c == classStep {
					placed = math.Inf(1)
				}
			}
		}
		text = rest[length:]
	}
	return lists, placed
}

// classifyList classifies the name of a list, which may be in the plural: "losses", "steps".
func classifyList(name []byte, words *wordList) kind {
	k := classify(name, words)
	for range 2 { // "steps", "losses"
		if k.class.canonical() || len(name) < 2 || name[len(name)-1] != 's' && name[len(name)-1] != 'e' {
			break
		}
		name = name[:len(name)-1]
		if single := classify(name, words); single.class.canonical() {
			k = single
		}
	}
	return k
}

// canonical reports whether a class is a position or has a name of its own for all logs.
func (c class) canonical() bool {
	switch c {
	case classStep, classEpoch, classLoss, classEvalLoss, classLR, classAccuracy, classEvalAccuracy:
		return true
	}
	return false
}

// valueLength returns the length of a value of JSON or of a dict, 0 for one that is cut.
func valueLength(text []byte) int {
	depth, quote := 0, byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote && text[i-1] != '\\' {
				quote = 0
			}
		case isQuote(c):
			quote = c
		case c == '[', c == '{', c == '(':
			depth++
		case c == ']', c == '}', c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case c == ',' && depth == 0:
			return i
		}
	}
	if depth > 0 || quote != 0 {
		return 0
	}
	return len(text)
}

// numberList parses the inside of a list. A null is -Inf, which no metric has.
func numberList(text []byte) (values []float64, numeric bool) {
	for cell := range bytes.SplitSeq(text, []byte{','}) {
		cell = bytes.TrimSpace(cell)
		switch string(cell) {
		case "null", "None":
			values = append(values, math.Inf(-1))
			continue
		}
		v, end, ok := readValue(cell, 0)
		if !ok || end != len(cell) || v.clock || v.fraction {
			return nil, false
		}
		values = append(values, v.number)
	}
	return values, len(values) > 0
}
