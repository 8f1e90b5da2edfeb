package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/views"
)

// key maps a key to an action: the prompt's while it is open, else the shell's
// or the screen's. A notice about a screen is removed with the screen; a failure
// stays, unless a command that was typed after it opened the screen.
func (m *model) key(key tea.KeyPressMsg) tea.Cmd {
	top, said, typed := m.top(), m.notice.generation, m.prompt.open()
	cmd := m.pressed(key)
	if m.top() != top && m.notice.generation == said && (typed || !m.notice.failed) {
		m.notice.text, m.notice.quits = "", false
	}
	return cmd
}

func (m *model) pressed(key tea.KeyPressMsg) tea.Cmd {
	if m.dialog != nil {
		return m.dialogKey(key)
	}
	if m.prompt.open() {
		return m.typing.key(key)
	}
	action, bound := m.acting.rights().Lookup(m.top().Scope(), key.String())
	if !bound {
		return nil
	}
	return m.do(action)
}

// do carries out an action.
func (m *model) do(action keymap.Action) tea.Cmd {
	if digit, is := keymap.FavouriteDigit(action); is {
		return m.namespaces.useFavourite(digit)
	}
	if cmd, handled := m.travel.act(action); handled {
		return cmd
	}
	if cmd, is := m.own.do(action); is {
		return cmd
	}
	switch action {
	case keymap.Quit:
		return tea.Quit
	case keymap.Command:
		m.prompt = newPrompt(":", "")
		m.prompt.offers = m.typing.completions("")
		return m.resources.learn()
	case keymap.Filter:
		return m.openFilter()
	case keymap.ShowHelp:
		return m.nav.help()
	case keymap.Back:
		m.nav.stepBackOrStop()
		return nil
	case keymap.BackOrQuit:
		return m.nav.backOrQuit()
	case keymap.Redraw:
		return tea.Batch(tea.ClearScreen, m.look())
	case keymap.ToggleHeader:
		m.header = !m.header
		return nil
	case keymap.ToggleCrumbs:
		m.crumbs = !m.crumbs
		return nil
	case keymap.SaveExcerpt:
		return m.excerpts.save()
	case keymap.ShowForward:
		m.nav.over(views.ForwardsRoute{})
		return nil
	case keymap.ShowAliases:
		delete(m.lists, views.AliasesRoute{}.Screen()) // aliases may be others since
		m.nav.over(views.AliasesRoute{})
		return m.resources.learn()
	case keymap.HistoryBack, keymap.HistoryOn, keymap.LastCommand:
		return m.again(action)
	}
	effect, handled := m.top().Do(action, m.frame())
	if !handled {
		if cmd, acted := m.acting.act(action, nil); acted {
			return cmd
		}
		return m.say(string(action)+" means nothing here", true)
	}
	return m.nav.apply(effect)
}

// filters reports whether the screen has something to narrow or to search.
func (m *model) filters() bool {
	if len(m.stack) == 0 {
		return false
	}
	_, is := m.top().(views.Filterable)
	return is && m.top().Scope() != keymap.NoCurves && m.top().Scope() != keymap.NoLog
}

// openFilter opens the prompt of the filter. Charts have nothing to narrow:
// their list of metrics is opened.
func (m *model) openFilter() tea.Cmd {
	if m.top().Scope() == keymap.Charts {
		if m.top().Do(keymap.ChartMetrics, m.frame()); m.top().Scope() == keymap.Charts {
			return m.say("no metric was read yet that could be listed", true)
		}
	}
	filterable, is := m.top().(views.Filterable)
	if !is {
		return m.say("there is nothing to filter here", true)
	}
	m.prompt = newPrompt("/", filterable.Filter())
	m.prompt.offers = m.typing.savedFilters(filterable.Filter())
	return nil
}

// stepBack undoes one step, the first of: close a notice, close what is in
// front of the screen's main content, clear a filter, leave the screen. It
// reports whether there was anything to undo.
func (n *navigation) stepBack() bool { return n.stepBackHere() || n.back() }

// stepBackHere undoes a step within the screen.
func (n *navigation) stepBackHere() bool {
	if layered, is := n.m.top().(views.Layered); is && layered.StepBack() {
		return true
	}
	if filterable, is := n.m.top().(views.Filterable); is && filterable.Filter() != "" {
		return filterable.SetFilter("") == nil
	}
	return false
}

// stepBackOrStop asks, before it leaves a screen, whether to cancel the running
// copies: the footer names esc as the key for it.
func (n *navigation) stepBackOrStop() {
	switch {
	case n.stepBackHere():
	case n.m.acting.copies():
		n.m.tasks.Copies.AskStop()
	default:
		n.back()
	}
}

// back leaves the screen; the first one stays.
func (n *navigation) back() bool {
	if len(n.m.stack) < 2 {
		return false
	}
	n.m.kept.keepLayouts(n.m.stack)
	if _, is := n.m.top().(views.Stateful); is {
		n.m.remember()
	}
	n.m.stack = n.m.stack[:len(n.m.stack)-1]
	return true
}

// backOrQuit steps back, and on the first screen quits when pressed twice.
func (n *navigation) backOrQuit() tea.Cmd {
	if n.stepBack() {
		return nil
	}
	if n.m.notice.quits {
		return tea.Quit
	}
	cmd := n.m.say("q again quits", false)
	n.m.notice.quits = true
	return cmd
}

// again runs a command of the history.
func (m *model) again(action keymap.Action) tea.Cmd {
	text, any := "", false
	switch action {
	case keymap.HistoryBack:
		text, any = m.history.earlier()
	case keymap.HistoryOn:
		text, any = m.history.later()
	default:
		text, any = m.history.last()
	}
	if !any {
		return m.say("no such command in the history", true)
	}
	text = m.own.set().Line(text)
	if c, known := commandNamed(firstWord(text)); known {
		return c.run(m, restOf(text))
	}
	if found, known := m.resources.find(firstWord(text)); known {
		return list(views.TableRoute{Resource: found.In("")})(m, restOf(text))
	}
	return nil
}
