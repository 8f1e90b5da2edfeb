package logs

import (
	"regexp"
	"strconv"
	"strings"
)

// lineFilter filters the lines of all panes.
type lineFilter struct {
	scan
	text    string // as typed
	context int
}

func (n *lineFilter) empty() bool { return n.text == "" }

// maxContext bounds the lines around a match.
const maxContext = 1000

// parseLineFilter parses a typed filter: a regular expression for the lines that
// stay, "!" and one for lines that go, as many of these as wanted, and "-C N"
// for context:
//
//	loss
//	!debug
//	rank !NCCL !\bDEBUG\b -C 3
func parseLineFilter(text string) (lineFilter, error) {
	body, context, err := cutContext(strings.TrimSpace(text))
	if err != nil || body == "" {
		return lineFilter{}, err
	}
	var m match
	for i, part := range strings.Split(" "+body, " !") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		e, err := expression(part)
		if err != nil {
			return lineFilter{}, err
		}
		if i == 0 {
			m.want = append(m.want, e)
		} else {
			m.not = append(m.not, e)
		}
	}
	if len(m.want)+len(m.not) == 0 {
		return lineFilter{}, nil
	}
	return lineFilter{scan: newScan(m), text: text, context: context}, nil
}

var contextFlag = regexp.MustCompile(`(?:^|\s)-C\s*(\d*)\s*$`)

// cutContext cuts "-C N" off the end.
func cutContext(text string) (rest string, context int, err error) {
	at := contextFlag.FindStringSubmatchIndex(text)
	if at == nil {
		return text, 0, nil
	}
	if number := text[at[2]:at[3]]; number != "" {
		if context, err = strconv.Atoi(number); err != nil {
			context = maxContext // more digits than a number has
		}
	}
	return strings.TrimSpace(text[:at[0]]), min(context, maxContext), nil
}

// setLineFilter sets the filter; an invalid text changes nothing.
func (v *paneSet) setLineFilter(text string) error {
	if text == v.lineFilter.text {
		return nil
	}
	n, err := parseLineFilter(text)
	if err != nil {
		return err
	}
	v.lineFilter.end()
	v.lineFilter = n
	return nil
}
