package exported

import (
	"encoding/json"
	"maps"
	"regexp"
)

// Trainers keep the history of a run in one JSON document: log_history in
// trainer_state.json of Hugging Face's Trainer (transformers 4 and 5,
// trainer_callback.py), beside the state of the run; Keras' History.history, a list of numbers
// for each metric.

// historyOfRun matches a list of objects that is named as a history or whose first object has
// a loss, listOfLosses a list of numbers that is named as a loss.
var (
	historyOfRun = regexp.MustCompile(`"\w*(?:history|logs|records|metrics)"\s*:\s*\[\s*\{|\[\s*\{[^\[\]]*?"[^"]*[Ll]oss`)
	listOfLosses = regexp.MustCompile(`"[\w/. -]*[Ll]oss(?:es)?[\w/. -]*"\s*:\s*\[\s*-?\d`)
)

// runLength are the fields of a document that belong to each record of its history.
var runLength = []string{"max_steps", "total_steps", "num_train_epochs", "max_epochs"}

// historyLines returns a line of JSON for each record of the history in a document; nil
// for another document.
func historyLines(documents []any) (lines []byte) {
	if len(documents) != 1 {
		return nil
	}
	if records, is := documents[0].([]any); is && len(records) > 1 && isNested(records) && isHistory(records) {
		for _, record := range records {
			lines = append(lines, historyLine(record, nil)...)
		}
		return lines
	}
	top, _ := documents[0].(map[string]any)
	if line := listsLine(top); line != nil {
		return line
	}
	for _, value := range top {
		if inner, is := value.(map[string]any); is {
			lines = append(lines, listsLine(inner)...)
			continue
		}
		records, _ := value.([]any)
		if len(records) == 0 || !isHistory(records) {
			continue
		}
		for _, record := range records {
			lines = append(lines, historyLine(record, top)...)
		}
	}
	return lines
}

// isHistory reports whether the first record has a position in a run and a loss at it.
func isHistory(records []any) bool {
	fields, _ := records[0].(map[string]any)
	fields = flat(fields)
	raw := make(map[string]json.RawMessage, len(fields))
	for name, value := range fields {
		text, err := json.Marshal(value)
		if err != nil {
			return false
		}
		raw[name] = text
	}
	return !hasField(raw, objectFields) && isMeasured(raw)
}

func historyLine(record any, top map[string]any) []byte {
	fields, is := record.(map[string]any)
	if !is {
		return nil
	}
	fields = flat(fields)
	for _, name := range runLength {
		if length, has := top[name].(float64); has && length > 0 && fields[name] == nil {
			fields[name] = length
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	return append(text, '\n')
}

// isNested reports whether the first record has numbers below names: what was measured in
// training and in validation.
func isNested(records []any) bool {
	fields, _ := records[0].(map[string]any)
	for _, value := range fields {
		if _, is := value.(map[string]any); is {
			return true
		}
	}
	return false
}

// flat returns the fields of a record, and those below a name as "train/loss".
func flat(fields map[string]any) map[string]any {
	all := maps.Clone(fields)
	for name, value := range fields {
		inner, is := value.(map[string]any)
		if !is {
			continue
		}
		delete(all, name)
		for below, value := range inner {
			all[name+"/"+below] = value
		}
	}
	return all
}

// listsLine returns an object that has a list of numbers for each metric as one line; nil
// for another one.
func listsLine(fields map[string]any) []byte {
	lists := 0
	for _, value := range fields {
		if list, is := value.([]any); is && len(list) > 1 {
			lists++
		}
	}
	const least = 2 // losses, and what they belong to
	if lists < least {
		return nil
	}
	text, err := json.Marshal(fields)
	if err != nil || !listOfLosses.Match(text) {
		return nil
	}
	return append(text, '\n')
}
