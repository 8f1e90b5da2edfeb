package ui

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/views"
)

func (m *model) askContexts() tea.Cmd {
	ctx, cluster := m.ctx, m.o.Cluster
	if cluster == nil {
		return nil
	}
	return func() tea.Msg {
		all, err := cluster.Contexts(ctx)
		if err != nil {
			return m.host.Notice(err.Error(), true)
		}
		return contextsListed(all)
	}
}

type contextsListed []Context

func (c contextsListed) arrive(m *model) tea.Cmd {
	m.contexts = c
	if m.top().Name() == "contexts" {
		m.nav.show(views.ContextsRoute{})
	}
	return nil
}

// switchTo ends the session and starts one in another context.
func (m *model) switchTo(name string) tea.Cmd {
	ctx, cluster := m.ctx, m.o.Cluster
	if cluster == nil {
		return m.say("what is shown comes from files: there is no context to change to", true)
	}
	m.remember()
	switching := func() tea.Msg {
		session, err := cluster.SwitchContext(ctx, name)
		if err != nil {
			return switched{err: err}
		}
		taken := takeSnapshot(session.Store)
		if now, is := taken.(snapshotTaken); is {
			return switched{session: session, now: now.of}
		}
		return taken
	}
	return tea.Batch(m.say("changing to context "+name, false), switching)
}

// switched is the result of switchTo.
type switched struct {
	session Session
	now     *store.Snapshot
	err     error
}

func (s switched) arrive(m *model) tea.Cmd {
	if s.err != nil {
		return m.say(s.err.Error(), true)
	}
	m.begin(s.session, s.now, true)
	m.clock = ticker{generation: m.clock.generation + 1}
	m.follow(s.session.Store)
	if m.namespace != s.session.Namespace {
		m.o.Cluster.UseNamespace(m.namespace)
	}
	return tea.Batch(m.say("context "+s.session.Context, false), m.look(), m.namespaces.ask(), m.travel.startPlayback())
}

// remember saves the session's settings for the next time.
func (m *model) remember() {
	r := m.o.Memory.Of(m.session.Context)
	screens := map[string]views.State{}
	for name, state := range r.Screens {
		screens[name] = state
	}
	for _, v := range slices.Concat(slices.Collect(maps.Values(m.lists)), m.stack) {
		if stateful, is := v.(views.Stateful); is {
			screens[v.Name()] = stateful.State().After(screens[v.Name()])
		}
	}
	namespace := m.namespace
	r = Remembered{Namespace: &namespace, Screen: "jobs", Favourites: m.namespaces.favourites, Screens: screens, Pinned: m.kept.pinned()}
	m.kept.keepLayouts(m.stack)
	r.Layouts = m.kept.layouts
	for _, v := range m.stack[:min(2, len(m.stack))] {
		if beginRoute(v.Name()) != nil {
			r.Screen = v.Name()
		}
	}
	m.o.Memory.Keep(m.session.Context, r)
}
