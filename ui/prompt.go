package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
	"github.com/traintop/traintop/views/input"
)

// typing handles keys while a line is typed at the prompt.
type typing struct{ m *model }

// prompt is the line in which a command or a filter is typed.
type prompt struct {
	input.Line
	sign string // ":", "/" or a question's, "" while closed
	// question is the screen's question, nil for a command or a filter.
	question *views.Question
	// offers are completions (typing.completions makes them); offer is the one
	// shown.
	offers []string
	offer  int
	// back counts the steps back in the history; draft is the text typed before
	// them.
	back  int
	draft string
	err   string
}

// newPrompt opens a prompt that holds a text.
func newPrompt(sign, text string) prompt {
	return prompt{Line: input.New(text, maxTyped), sign: sign}
}

func (p *prompt) open() bool { return p.sign != "" }

func (p *prompt) close() { *p = prompt{} }

// suggestion is the text that the shown completion would add at the cursor.
func (p *prompt) suggestion() string {
	if p.offer >= len(p.offers) || !p.AtEnd() {
		return ""
	}
	return strings.TrimPrefix(p.offers[p.offer], p.Text())
}

// nextOffer shows another completion.
func (p *prompt) nextOffer(by int) {
	if n := len(p.offers); n > 0 {
		p.offer = (p.offer + n + by) % n
	}
}

// maxTyped bounds the text of a prompt, in characters.
const maxTyped = 500

// key handles a key while the prompt is open.
func (t *typing) key(key tea.KeyPressMsg) tea.Cmd {
	action, bound := keymap.Lookup(keymap.Prompt, key.String())
	if !bound {
		return t.insert(key.Text)
	}
	p := &t.m.prompt
	switch action {
	case keymap.Quit:
		return tea.Quit
	case keymap.PromptEnter:
		return t.enter()
	case keymap.PromptCancel:
		return t.cancel()
	case keymap.PromptComplete:
		return t.insert(p.suggestion())
	case keymap.PromptNext:
		p.nextOffer(1)
	case keymap.PromptPrevious:
		p.nextOffer(-1)
	case keymap.PromptEarlier:
		return t.recall(1)
	case keymap.PromptLater:
		return t.recall(-1)
	default:
		return t.edit(action)
	}
	return nil
}

// insert puts text at the cursor.
func (t *typing) insert(text string) tea.Cmd {
	before := t.m.prompt.Text()
	t.m.prompt.Insert(text)
	return t.edited(before)
}

// offerAgain makes the completions of a command anew: more names are known.
func (t *typing) offerAgain() {
	if p := &t.m.prompt; p.sign == ":" {
		p.offers, p.offer = t.completions(p.Text()), 0
	}
}

// edit moves the cursor or erases.
func (t *typing) edit(action keymap.Action) tea.Cmd {
	p := &t.m.prompt
	before := p.Text()
	switch {
	case action == keymap.EraseLeft && before == "":
		return t.cancel()
	case action == keymap.CursorRight && p.suggestion() != "":
		p.Insert(p.suggestion())
	default:
		p.Do(action)
	}
	return t.edited(before)
}

// paste inserts pasted text into the prompt; elsewhere it is ignored.
func (t *typing) paste(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	switch {
	case t.m.dialog != nil:
		return t.m.dialogText(text)
	case t.m.prompt.open():
		return t.insert(text)
	}
	return nil
}

// recall shows an earlier, or later, line of this prompt.
func (t *typing) recall(by int) tea.Cmd {
	p := &t.m.prompt
	lines := t.historyOf(p.sign).typed()
	back := min(max(p.back+by, 0), len(lines))
	if back == p.back {
		return nil
	}
	before, draft := p.Text(), p.draft
	if p.back == 0 {
		draft = before
	}
	if back == 0 {
		p.SetText(draft)
	} else {
		p.SetText(lines[len(lines)-back])
	}
	cmd := t.edited(before)
	p.back, p.draft = back, draft
	return cmd
}

// edited handles a changed text: a filter works at once, a command is
// completed.
func (t *typing) edited(before string) tea.Cmd {
	p := &t.m.prompt
	text := p.Text()
	if text == before {
		return nil
	}
	p.offers, p.offer, p.back, p.err = nil, 0, 0, ""
	if p.sign == ":" {
		p.offers = t.completions(text)
		return nil
	}
	if p.question != nil {
		t.tell(*p.question, text)
		return nil
	}
	if strings.HasPrefix(text, "@") {
		p.offers = t.savedFilters(text)
	}
	if filterable, is := t.m.top().(views.Filterable); is {
		if err := filterable.SetFilter(t.m.own.set().Filter(text)); err != nil {
			p.err = err.Error()
		}
	}
	return nil
}

// enter runs the command, or keeps the filter.
func (t *typing) enter() tea.Cmd {
	p := t.m.prompt
	text, suggestion := p.Text(), p.suggestion()
	t.m.prompt.close()
	if p.sign == ":" {
		first := firstWord(strings.TrimSpace(text))
		_, command := commandNamed(first)
		_, resource := t.m.resources.find(first)
		if alias := t.m.own.set().Line(first) != first; !command && !resource && !alias {
			text += suggestion
		}
		return t.m.run(text)
	}
	if p.sign == "/" && strings.HasPrefix(text, "@") && suggestion != "" {
		t.m.prompt = p
		cmd := t.insert(suggestion) // the filter that is offered is meant
		t.m.prompt.close()
		return cmd
	}
	if text != "" {
		t.historyOf(p.sign).add(text)
	}
	if p.question != nil {
		return t.answer(*p.question, text)
	}
	return nil
}

// cancel closes the prompt; a filter that was being typed is removed with it.
func (t *typing) cancel() tea.Cmd {
	sign, question := t.m.prompt.sign, t.m.prompt.question
	if question != nil {
		t.tell(*question, question.Text)
	}
	t.m.prompt.close()
	if filterable, is := t.m.top().(views.Filterable); is && sign == "/" {
		if err := filterable.SetFilter(""); err != nil {
			return t.m.say(err.Error(), true)
		}
	}
	return nil
}

// line draws the prompt, and returns the position of the cursor in it.
func (t *typing) line() (drawn string, cursor int) {
	p := &t.m.prompt
	line := t.m.painter.line().Add(themes.Accent, " "+p.sign)
	begins, room := draw.Width(" "+p.sign), line.Left()
	if p.err != "" {
		room = max(room/2, room-draw.Width("   "+draw.Clean(p.err)))
	}
	shown, cursor := p.Window(room)
	line.Add(themes.Strong, shown).Add(themes.Suggestion, p.suggestion())
	cursor = min(t.m.width-1, begins+cursor)
	if p.err != "" {
		return line.Add(themes.NoticeFailed, "   "+draw.Clean(p.err)).String(), cursor
	}
	if p.question != nil {
		line.Add(themes.Dim, "   "+p.question.Hint)
	}
	if len(p.offers) > 1 {
		line.Add(themes.Dim, "   "+others(p.offers, p.offer))
	}
	return line.String(), cursor
}

// others lists the completions after the one that is shown.
func others(offers []string, shown int) string {
	var names []string
	for i := 1; i < min(len(offers), 8); i++ {
		names = append(names, offers[(shown+i)%len(offers)])
	}
	return strings.Join(names, "  ")
}

// cursor is the position of the terminal's cursor while something is typed.
func (t *typing) cursor() *tea.Cursor {
	switch {
	case t.m.dialog != nil:
		x, y, typing := t.m.dialog.Cursor()
		if !typing || t.m.painter.dialogHidden() {
			return nil
		}
		return tea.NewCursor(t.m.page.dialog.left+x, t.m.page.bodyTop+t.m.page.dialog.top+y)
	case t.m.prompt.open():
		_, x := t.line()
		return tea.NewCursor(x, t.m.height-1)
	}
	return nil
}
