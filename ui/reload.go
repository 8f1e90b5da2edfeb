package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions/probes"
)

// reloaded is the configuration that was read again, for each context.
type reloaded func(context string) Reload

// arrive applies the configuration. Settings that a person changed on the
// screen since the start are replaced by those of the file.
func (r reloaded) arrive(m *model) tea.Cmd {
	m.dirty = true
	now := r(m.session.Context)
	m.warnings = now.Warnings
	if now.Failed {
		return m.warn()
	}
	m.o.Config = now.Config
	m.session.Settings = now.Settings
	m.configure()
	m.applyTheme()
	m.tasks.UseDebugImage(now.DebugImage)
	for _, namespace := range now.Favourites {
		m.favour(namespace)
	}
	if len(m.warnings) > 0 {
		return m.warn()
	}
	text := "the configuration was read again"
	if len(now.NextStart) > 0 {
		text += "; " + strings.Join(now.NextStart, ", ") + " changes with the next start"
	}
	return m.say(text, false)
}

// configure makes what depends on the configuration of all contexts.
func (m *model) configure() {
	m.own.configure()
	m.probes = slices.Concat(probes.All(), m.o.Probes)
}
