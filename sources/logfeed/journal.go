package logfeed

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"time"
)

// journalStart matches the beginning of a journal record: its field names are in
// capitals, and some releases of journalctl write spaces around them.
var journalStart = regexp.MustCompile(`^\{ ?"[A-Z_]`)

func mayBeJournal(p []byte) bool { return journalStart.Match(p) }

// journal reads a record that journalctl -o json prints, one per line. A message
// that is not plain text (it has an escape or a byte that is not UTF-8) comes as
// a list of its bytes, and a message that occurs twice as a list of both.
func journal(p []byte) (at time.Time, text []byte, ok bool) {
	var record struct {
		Message json.RawMessage `json:"MESSAGE"`
		Time    string          `json:"__REALTIME_TIMESTAMP"`
	}
	if json.Unmarshal(p, &record) != nil || record.Time == "" && bytes.HasPrefix(record.Message, []byte{'"'}) {
		return at, nil, false
	}
	if text, ok = journalMessage(record.Message); !ok {
		return at, nil, false
	}
	if microseconds, err := strconv.ParseInt(record.Time, 10, 64); err == nil {
		at = time.UnixMicro(microseconds).UTC()
	}
	return at, bytes.TrimRight(text, "\r\n"), true
}

func journalMessage(raw json.RawMessage) (text []byte, ok bool) {
	var word string
	if json.Unmarshal(raw, &word) == nil && len(raw) > 0 && raw[0] == '"' {
		return []byte(word), true
	}
	var several []json.RawMessage
	if json.Unmarshal(raw, &several) != nil || len(several) == 0 {
		return nil, false
	}
	for i, one := range several {
		if number, err := strconv.ParseUint(string(one), 10, 8); err == nil {
			text = append(text, byte(number))
			continue
		}
		part, is := journalMessage(one)
		if !is {
			return nil, false
		}
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, part...)
	}
	return text, true
}
