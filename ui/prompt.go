package ui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// prompt is the line in which a command or a filter is typed.
type prompt struct {
	sign string // ":", "/" or a question's, "" while closed
	text string
	// question is what a screen asks for, nil for a command or a filter.
	question *views.Question
	// offers are completions; offer is the one shown.
	offers []string
	offer  int
	err    string
}

func (p *prompt) open() bool { return p.sign != "" }

func (p *prompt) close() { *p = prompt{} }

// suggestion is what the shown completion would add.
func (p *prompt) suggestion() string {
	if p.offer >= len(p.offers) {
		return ""
	}
	return strings.TrimPrefix(p.offers[p.offer], p.text)
}

// maxTyped bounds what is typed or pasted into a prompt.
const maxTyped = 500

// typed takes a key while the prompt is open.
func (m *model) typed(key tea.KeyPressMsg) tea.Cmd {
	p := &m.prompt
	switch key.String() {
	case "esc":
		return m.cancelPrompt()
	case "ctrl+c":
		return tea.Quit
	case "enter":
		return m.enterPrompt()
	case "backspace", "ctrl+h":
		if p.text == "" {
			return m.cancelPrompt()
		}
		_, size := utf8.DecodeLastRuneInString(p.text)
		return m.edit(p.text[:len(p.text)-size])
	case "ctrl+w", "ctrl+u":
		return m.edit("")
	case "tab", "right", "ctrl+f":
		return m.edit(p.text + p.suggestion())
	case "down", "shift+tab":
		if len(p.offers) > 0 {
			p.offer = (p.offer + 1) % len(p.offers)
		}
	case "up":
		if len(p.offers) > 0 {
			p.offer = (p.offer + len(p.offers) - 1) % len(p.offers)
		}
	default:
		if key.Text != "" {
			return m.edit(p.text + draw.Clean(key.Text))
		}
	}
	return nil
}

// paste puts pasted text into the prompt; elsewhere it means nothing.
func (m *model) paste(text string) tea.Cmd {
	if !m.prompt.open() {
		return nil
	}
	return m.edit(m.prompt.text + strings.TrimSpace(draw.Clean(text)))
}

// edit changes the text: a filter works at once, a command is completed.
func (m *model) edit(text string) tea.Cmd {
	p := &m.prompt
	if len(text) > maxTyped {
		return nil
	}
	p.text, p.offers, p.offer, p.err = text, nil, 0, ""
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
	sign, text, suggestion, question := m.prompt.sign, m.prompt.text, m.prompt.suggestion(), m.prompt.question
	m.prompt.close()
	if question != nil {
		return m.answerQuestion(*question, text)
	}
	if sign == ":" {
		if _, known := commandNamed(firstWord(strings.TrimSpace(text))); !known {
			text += suggestion
		}
		return m.run(text)
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

func (m *model) promptLine() string {
	p := &m.prompt
	line := m.line().Add(themes.Accent, " "+p.sign).Add(themes.Strong, p.visible(m.width-3)).Add(themes.Suggestion, p.suggestion())
	if p.err != "" {
		return line.Add(themes.NoticeFailed, "   "+draw.Clean(p.err)).String()
	}
	if p.question != nil {
		line.Add(themes.Dim, "   "+p.question.Hint)
	}
	if len(p.offers) > 1 {
		line.Add(themes.Dim, "   "+others(p.offers, p.offer))
	}
	return line.String()
}

// visible is the end of a text that is longer than the line.
func (p *prompt) visible(width int) string {
	text := p.text
	for draw.Width(text) > width && text != "" {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}

// others lists the completions after the one that is shown.
func others(offers []string, shown int) string {
	var names []string
	for i := 1; i < min(len(offers), 8); i++ {
		names = append(names, offers[(shown+i)%len(offers)])
	}
	return strings.Join(names, "  ")
}

// promptCursor is where the terminal's cursor blinks while a prompt is open.
func (m *model) promptCursor() *tea.Cursor {
	if !m.prompt.open() {
		return nil
	}
	return tea.NewCursor(min(m.width-1, 2+draw.Width(m.prompt.visible(m.width-3))), m.height-1)
}
