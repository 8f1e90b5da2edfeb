package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// ask opens the prompt for a screen's question.
func (t *typing) ask(q views.Question) {
	t.m.prompt = newPrompt(q.Sign, q.Text)
	t.m.prompt.question = &q
}

// tell passes the typed text to the screen, and shows the screen's error.
func (t *typing) tell(q views.Question, text string) {
	if prompting, is := t.m.top().(views.Prompting); is {
		if err := prompting.Typed(q, text); err != nil {
			t.m.prompt.err = err.Error()
		}
	}
}

// answer passes the entered line to the screen.
func (t *typing) answer(q views.Question, text string) tea.Cmd {
	prompting, is := t.m.top().(views.Prompting)
	if !is {
		return nil
	}
	return t.m.nav.apply(prompting.Answered(q, text, t.m.frame()))
}
