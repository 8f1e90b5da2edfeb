package formats

import "bytes"

// valueKeys are the keys of the value in records of one metric, and the keys that may
// hold the metric's name in the same record: {"metric": "loss", "value": 0.3} of
// FloydHub, {metricName: loss, metricValue: 0.3} of Katib,
// {"key": "loss", "value": 0.3} of MLflow's REST API.
var valueKeys = map[string][]string{
	"value":        {"metric", "name", "key", "metric_name", "tag"},
	"metric_value": {"metric_name", "metric", "name"},
	"metricValue":  {"metricName", "metric", "name"},
}

// valueKeysOf returns those of a name, nil for nearly all names.
func valueKeysOf(name []byte) []string {
	const shortest = "value"
	if len(name) < len(shortest) || name[len(name)-1] != 'e' || name[len(name)-2] != 'u' {
		return nil
	}
	return valueKeys[string(name)]
}

// takeName sets the name of such a value from the same object, or from the one around it:
// from the text before the value, else from the text after it.
func (r *pairs) takeName(f *field, keys []string) {
	from := bytes.LastIndexAny(r.text[:f.name.lo], "{;") + 1
	if r.nameFrom(f, keys, from) || from < 2 || r.text[from-1] != '{' {
		return
	}
	// {"name": "loss", "data": {"step": 1, "value": 3.9}} of Caikit
	r.nameFrom(f, keys, bytes.LastIndexByte(r.text[:from-1], '{')+1)
}

// nameFrom sets the name of a value from the part of the line from an offset to the end
// of the value's object, and reports whether it is there.
func (r *pairs) nameFrom(f *field, keys []string, from int) bool {
	to := len(r.text)
	if end := bytes.IndexAny(r.text[f.hi:], "};"); end >= 0 {
		to = f.hi + end
	}
	for _, key := range keys {
		if name := word(r.text, span{from, to}, key); !name.empty() {
			f.name = name
			return true
		}
	}
	return false
}

// word returns the text value of a key within a part of a line.
func word(text []byte, within span, key string) span {
	for at := within.lo; at < within.hi; {
		found := bytes.Index(text[at:within.hi], []byte(key))
		if found < 0 {
			break
		}
		start := at + found
		at = start + len(key)
		if start > 0 && isWordByte(text[start-1]) || at < within.hi && isWordByte(text[at]) {
			continue
		}
		rest := bytes.TrimLeft(text[at:within.hi], "\"'")
		rest = bytes.TrimLeft(rest, " ")
		if len(rest) == 0 || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		rest = bytes.TrimLeft(rest[1:], " \"'")
		end := bytes.IndexAny(rest, "\"',}; ")
		if end < 0 {
			end = len(rest)
		}
		lo := within.hi - len(rest)
		if end > 0 && end <= maxName && isLetter(rest[0]) {
			return span{lo, lo + end}
		}
	}
	return span{}
}
