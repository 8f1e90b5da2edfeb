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

// prompt is the line in which a command or a filter is typed.
type prompt struct {
	input.Line
	sign string // ":", "/" or a question's, "" while closed
	// question is what a screen asks for, nil for a command or a filter.
	question *views.Question
	// offers are completions; offer is the one shown.
	offers []string
	offer  int
	// back counts how far the history was gone back; draft is what was typed
	// before that.
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

// suggestion is what the shown completion would add behind the cursor.
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

// maxTyped bounds what is typed or pasted into a prompt, in characters.
const maxTyped = 500

// typed takes a key while the prompt is open.
func (m *model) typed(key tea.KeyPressMsg) tea.Cmd {
	action, bound := keymap.Lookup(keymap.Prompt, key.String())
	if !bound {
		return m.insert(key.Text)
	}
	p := &m.prompt
	switch action {
	case keymap.Quit:
		return tea.Quit
	case keymap.PromptEnter:
		return m.enterPrompt()
	case keymap.PromptCancel:
		return m.cancelPrompt()
	case keymap.PromptComplete:
		return m.insert(p.suggestion())
	case keymap.PromptNext:
		p.nextOffer(1)
	case keymap.PromptPrevious:
		p.nextOffer(-1)
	case keymap.PromptEarlier:
		return m.recall(1)
	case keymap.PromptLater:
		return m.recall(-1)
	default:
		return m.edit(action)
	}
	return nil
}

// insert puts text at the cursor.
func (m *model) insert(text string) tea.Cmd {
	before := m.prompt.Text()
	m.prompt.Insert(text)
	return m.edited(before)
}

// edit moves the cursor or erases.
func (m *model) edit(action keymap.Action) tea.Cmd {
	p := &m.prompt
	before := p.Text()
	switch {
	case action == keymap.EraseLeft && before == "":
		return m.cancelPrompt()
	case action == keymap.CursorRight && p.suggestion() != "":
		p.Insert(p.suggestion())
	default:
		p.Do(action)
	}
	return m.edited(before)
}

// paste puts pasted text into what is typed; elsewhere it means nothing.
func (m *model) paste(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	switch {
	case m.dialog != nil:
		return m.dialogText(text)
	case m.prompt.open():
		return m.insert(text)
	}
	return nil
}

// recall shows what was entered at this prompt earlier, or later.
func (m *model) recall(by int) tea.Cmd {
	p := &m.prompt
	lines := m.historyOf(p.sign).lines
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
	cmd := m.edited(before)
	p.back, p.draft = back, draft
	return cmd
}

// edited follows another text: a filter works at once, a command is completed.
func (m *model) edited(before string) tea.Cmd {
	p := &m.prompt
	text := p.Text()
	if text == before {
		return nil
	}
	p.offers, p.offer, p.back, p.err = nil, 0, 0, ""
	if p.sign == ":" {
		p.offers = m.completions(text)
		return nil
	}
	if p.question != nil {
		m.tell(*p.question, text)
		return nil
	}
	if filterable, is := m.top().(views.Filterable); is {
		if err := filterable.SetFilter(text); err != nil {
			p.err = err.Error()
		}
	}
	return nil
}

// enterPrompt runs the command, or keeps the filter.
func (m *model) enterPrompt() tea.Cmd {
	p := m.prompt
	text, suggestion := p.Text(), p.suggestion()
	m.prompt.close()
	if p.sign == ":" {
		if _, known := commandNamed(firstWord(strings.TrimSpace(text))); !known {
			text += suggestion
		}
		return m.run(text)
	}
	if text != "" {
		m.historyOf(p.sign).add(text)
	}
	if p.question != nil {
		return m.answerQuestion(*p.question, text)
	}
	return nil
}

// cancelPrompt closes the prompt; a filter that was being typed goes with it.
func (m *model) cancelPrompt() tea.Cmd {
	sign, question := m.prompt.sign, m.prompt.question
	if question != nil {
		m.tell(*question, question.Text)
	}
	m.prompt.close()
	if filterable, is := m.top().(views.Filterable); is && sign == "/" {
		if err := filterable.SetFilter(""); err != nil {
			return m.say(err.Error(), true)
		}
	}
	return nil
}

// promptLine draws the prompt, and says where the cursor is in it.
func (m *model) promptLine() (drawn string, cursor int) {
	p := &m.prompt
	line := m.line().Add(themes.Accent, " "+p.sign)
	begins, room := draw.Width(" "+p.sign), line.Left()
	if p.err != "" {
		room = max(room/2, room-draw.Width("   "+draw.Clean(p.err)))
	}
	shown, cursor := p.Window(room)
	line.Add(themes.Strong, shown).Add(themes.Suggestion, p.suggestion())
	cursor = min(m.width-1, begins+cursor)
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

// inputCursor is where the terminal's cursor blinks while something is typed.
func (m *model) inputCursor() *tea.Cursor {
	switch {
	case m.dialog != nil:
		x, y, typing := m.dialog.Cursor()
		if !typing || m.page.dialog.hidden {
			return nil
		}
		return tea.NewCursor(m.page.dialog.left+x, m.page.bodyTop+m.page.dialog.top+y)
	case m.prompt.open():
		_, x := m.promptLine()
		return tea.NewCursor(x, m.height-1)
	}
	return nil
}
