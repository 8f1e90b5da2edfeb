package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// ask opens the prompt for a line that a screen asks for.
func (t *typing) ask(q views.Question) {
	t.m.prompt = newPrompt(q.Sign, q.Text)
	t.m.prompt.question = &q
}

// tell tells the screen what is typed, and shows what is wrong with it.
func (t *typing) tell(q views.Question, text string) {
	if prompting, is := t.m.top().(views.Prompting); is {
		if err := prompting.Typed(q, text); err != nil {
			t.m.prompt.err = err.Error()
		}
	}
}

// answer gives the screen the line that was entered.
func (t *typing) answer(q views.Question, text string) tea.Cmd {
	prompting, is := t.m.top().(views.Prompting)
	if !is {
		return nil
	}
	return t.m.nav.apply(prompting.Answered(q, text, t.m.frame()))
}
