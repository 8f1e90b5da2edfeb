package pattern

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/views"
)

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	if len(v.offered) == 0 {
		return nil, slices.Contains(actions, action)
	}
	switch action {
	case keymap.FieldLeft:
		v.cursor = max(0, v.cursor-1)
	case keymap.FieldRight:
		v.cursor = min(len(v.fields)-1, v.cursor+1)
	case keymap.OtherUp:
		v.take(v.at - 1)
	case keymap.OtherDown:
		v.take(v.at + 1)
	case keymap.FieldPick:
		return v.pick(), true
	case keymap.FieldName:
		return v.ask(), true
	case keymap.PatternSave:
		return v.save(), true
	default:
		return nil, false
	}
	return nil, true
}

var actions = []keymap.Action{keymap.FieldLeft, keymap.FieldRight, keymap.OtherUp, keymap.OtherDown, keymap.FieldPick, keymap.FieldName, keymap.PatternSave}

// pick takes the number under the cursor, or leaves it.
func (v *View) pick() views.Effect {
	switch suggested := v.fields[v.cursor].Name; {
	case v.names[v.cursor] != "":
		v.names[v.cursor] = ""
	case suggested == "":
		return v.ask() // no word is before it
	default:
		v.names[v.cursor] = suggested
	}
	v.again()
	return nil
}

func (v *View) ask() views.Effect {
	text := v.names[v.cursor]
	if text == "" {
		text = v.fields[v.cursor].Name
	}
	return views.AskLine{Question: views.Question{Sign: "name ", Text: text, Hint: "step, epoch, total (of steps), epochs (in all), loss, or any name"}}
}

var groupName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Typed reports how a name must look.
func (v *View) Typed(_ views.Question, text string) error {
	if text = strings.TrimSpace(text); text != "" && !groupName.MatchString(text) {
		return errors.New("a name has letters, digits and _, and begins with no digit")
	}
	return nil
}

// Answered names the number under the cursor; an empty name leaves it.
func (v *View) Answered(q views.Question, text string, _ views.Frame) views.Effect {
	if err := v.Typed(q, text); err != nil {
		return views.Notice{Text: err.Error(), Failed: true}
	}
	if len(v.names) == 0 {
		return nil
	}
	v.names[v.cursor] = strings.TrimSpace(text)
	v.again()
	return nil
}

// save hands the pattern to the configuration.
func (v *View) save() views.Effect {
	if v.match == "" {
		return views.Notice{Text: "nothing is read yet: space takes the number under the cursor", Failed: true}
	}
	if !slices.Contains(v.names, "step") && !slices.Contains(v.names, "epoch") {
		return views.Notice{Text: "a curve needs its x: enter names a number step or epoch", Failed: true}
	}
	return views.SavePattern{Name: v.name, Match: v.match, Example: v.line()}
}
