package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// ask opens the prompt for a line that a screen asks for.
func (m *model) ask(q views.Question) {
	m.prompt = newPrompt(q.Sign, q.Text)
	m.prompt.question = &q
}

// tell tells the screen what is typed, and shows what is wrong with it.
func (m *model) tell(q views.Question, text string) {
	if prompting, is := m.top().(views.Prompting); is {
		if err := prompting.Typed(q, text); err != nil {
			m.prompt.err = err.Error()
		}
	}
}

// answerQuestion gives the screen the line that was entered.
func (m *model) answerQuestion(q views.Question, text string) tea.Cmd {
	prompting, is := m.top().(views.Prompting)
	if !is {
		return nil
	}
	return m.apply(prompting.Answered(q, text, m.frame()))
}
