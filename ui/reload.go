package ui

import (
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/ui/tasks"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/dialog"
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
	m.reloads++
	m.o.Config = now.Config
	m.session.Settings = now.Settings
	m.configure()
	m.applyTheme()
	m.tasks.UseDebugImage(now.DebugImage)
	for _, namespace := range now.Favourites {
		m.namespaces.favour(namespace)
	}
	if len(m.warnings) > 0 {
		return m.warn()
	}
	saved := m.own.saved
	m.own.saved = ""
	text := "the configuration was read again"
	if saved != "" && now.Logs != "" && len(now.NextStart) == 0 {
		text = saved
	}
	if now.Logs != "" {
		text += "; " + now.Logs
	}
	if len(now.NextStart) > 0 {
		text += "; the next start reads " + strings.Join(now.NextStart, ", ")
	}
	return m.say(text, false)
}

// patternSaved is a format that was written to the configuration, with the
// notice of it.
type patternSaved struct{ notice string }

// arrive shows it, and again when the file is read again because of it.
func (p patternSaved) arrive(m *model) tea.Cmd {
	m.dirty, m.own.saved = true, p.notice
	return m.say(p.notice, false)
}

// change asks for another value of a setting, and writes it to the file.
func (o *own) change(key string) tea.Cmd {
	at := slices.IndexFunc(o.m.session.Rows, func(s views.Setting) bool { return s.Key == key })
	if at < 0 || o.m.o.SetConfig == nil {
		return o.m.say("there is no configuration file here", true)
	}
	s := o.m.session.Rows[at]
	if !s.Simple {
		return o.m.say(key+" has several parts: e edits "+o.m.o.ConfigPath, false)
	}
	field := dialog.Field{Label: key, Text: s.Written, Hint: s.Kind}
	if len(s.Choices) > 0 {
		field = dialog.Field{Label: key, Choices: append([]string{without}, s.Choices...)}
		field.Chosen = slices.Index(s.Choices, s.Written) + 1
	}
	d := &tasks.Dialog{Dialog: &dialog.Dialog{Title: "Change " + key, Does: "Write", Fields: []dialog.Field{field}, FromTop: true}}
	d.Lines = o.settingLines(s)
	d.Pressed = func() tea.Cmd {
		value := strings.TrimSpace(d.Fields[0].Text)
		if choices := d.Fields[0].Choices; len(choices) > 0 {
			value = strings.TrimPrefix(choices[d.Fields[0].Chosen], without)
		}
		return o.writeSetting(s, value)
	}
	o.m.open(d)
	return nil
}

// settingLines explains what a setting means, and what a change of it does.
func (o *own) settingLines(s views.Setting) []dialog.Line {
	texts := []string{"without it: " + s.Preset, "written to " + o.m.o.ConfigPath}
	if s.Path != s.Key {
		texts[1] += " as " + s.Path
	}
	if strings.HasPrefix(s.From, "--") {
		texts = append(texts, s.From+" was typed, and wins over the file while this runs")
	}
	if s.AtStart {
		texts = append(texts, "it is read at the next start")
	}
	lines := []dialog.Line{{Role: themes.Text, Text: s.Meaning}}
	for _, text := range texts {
		lines = append(lines, dialog.Line{Role: themes.Dim, Text: text})
	}
	return lines
}

// writeSetting writes a value to the file, which is read again as after any
// change of it.
func (o *own) writeSetting(s views.Setting, value string) tea.Cmd {
	set, host := o.m.o.SetConfig, o.m.host
	return host.OffLoop(func() tea.Msg {
		if err := set(s.Path, value); err != nil {
			return host.Notice(err.Error(), true)
		}
		if value == "" {
			return host.Notice(s.Path+" is no longer set", false)
		}
		return host.Notice(s.Path+" is written", false)
	})
}

// savePattern adds a format of one's own to the file.
func (o *own) savePattern(p views.SavePattern) tea.Cmd {
	add, host, path := o.m.o.AddPattern, o.m.host, o.m.o.ConfigPath
	if add == nil {
		return o.m.say("there is no configuration file here", true)
	}
	return host.OffLoop(func() tea.Msg {
		if err := add(p.Name, p.Match, redact.Text(p.Example)); err != nil {
			return host.Notice(err.Error(), true)
		}
		return patternSaved{"the format is written to " + filepath.Base(path)}
	})
}

// without is the choice that takes a setting out of the file.
const without = "(not set)"

// configure makes what depends on the configuration of all contexts.
func (m *model) configure() {
	m.own.configure()
	m.probes = slices.Concat(probes.All(), m.o.Probes)
}
