package logs

import (
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/views"
)

// The questions of the screen.
const (
	askLineFilter = "&"
	askGoto       = "@"
)

// find carries out actions that search.
func (v *View) find(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.NextMatch, keymap.PrevMatch:
		if v.search.text == "" {
			return views.Notice{Text: "nothing is searched for; / searches", Failed: true}, true
		}
		v.jumpTo(v.search.match, step(action == keymap.NextMatch), "match", true)
	case keymap.LogNextError, keymap.LogPrevError:
		m, err := errorMatch()
		if err != nil {
			return views.Notice{Text: err.Error(), Failed: true}, true
		}
		v.jumpTo(m, step(action == keymap.LogNextError), "error", true)
	case keymap.LogFilter:
		return views.AskLine{Question: views.Question{Sign: askLineFilter, Text: v.lineFilter.text, Hint: "regex  !regex leaves out  -C 3 context"}}, true
	case keymap.LogGoto:
		return views.AskLine{Question: views.Question{Sign: askGoto, Hint: "14:07:31  -5m  step 1200  line 77"}}, true
	default:
		return nil, false
	}
	return nil, true
}

func step(on bool) int {
	if on {
		return 1
	}
	return -1
}

// Typed filters while the person types.
func (v *View) Typed(q views.Question, text string) error {
	if q.Sign == askLineFilter {
		return v.setLineFilter(text)
	}
	_, err := parseTarget(text, v.stamps)
	if text == "" {
		return nil
	}
	return err
}

// Answered keeps the filter, or goes to the named position.
func (v *View) Answered(q views.Question, text string, f views.Frame) views.Effect {
	if q.Sign == askLineFilter {
		if err := v.setLineFilter(text); err != nil {
			return views.Notice{Text: err.Error(), Failed: true}
		}
		return nil
	}
	if text == "" {
		return nil
	}
	return v.goToTarget(text, f)
}
