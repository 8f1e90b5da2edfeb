package ui

import (
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/aliases"
	"github.com/traintop/traintop/views/charts"
	"github.com/traintop/traintop/views/contexts"
	"github.com/traintop/traintop/views/describe"
	"github.com/traintop/traintop/views/diagnosis"
	"github.com/traintop/traintop/views/events"
	"github.com/traintop/traintop/views/findings"
	"github.com/traintop/traintop/views/forwards"
	"github.com/traintop/traintop/views/gpus"
	"github.com/traintop/traintop/views/job"
	"github.com/traintop/traintop/views/jobs"
	"github.com/traintop/traintop/views/logs"
	"github.com/traintop/traintop/views/manifest"
	"github.com/traintop/traintop/views/namespaces"
	"github.com/traintop/traintop/views/node"
	"github.com/traintop/traintop/views/nodes"
	"github.com/traintop/traintop/views/probes"
	"github.com/traintop/traintop/views/queues"
	"github.com/traintop/traintop/views/rank"
	"github.com/traintop/traintop/views/smi"
	"github.com/traintop/traintop/views/sources"
)

// screen makes a view for a place.
type screen struct {
	name string
	make func(m *model, p views.Place) views.View
}

// navigation goes from screen to screen, and does what screens ask for.
type navigation struct{ m *model }

// screens lists every screen that a place or a command can name.
func screens() []screen {
	return []screen{
		{"jobs", func(_ *model, p views.Place) views.View { return jobs.New(p.Name) }},
		{"job", func(_ *model, p views.Place) views.View { return job.New(p.Job) }},
		{"rank", func(_ *model, p views.Place) views.View { return rank.New(p.Job, p.Rank) }},
		{"diagnosis", func(_ *model, p views.Place) views.View { return diagnosis.New(p.Job) }},
		{"diagnose", func(_ *model, p views.Place) views.View { return findings.New(p.Name) }},
		{"charts", func(_ *model, p views.Place) views.View { return charts.New(p) }},
		{"logs", func(_ *model, p views.Place) views.View { return logs.New(p) }},
		{"nodes", func(*model, views.Place) views.View { return nodes.New() }},
		{"gpus", func(*model, views.Place) views.View { return gpus.New() }},
		{"node", func(_ *model, p views.Place) views.View { return node.New(p.Name) }},
		{"queues", func(*model, views.Place) views.View { return queues.New() }},
		{"events", func(*model, views.Place) views.View { return events.New() }},
		{"namespaces", func(m *model, _ views.Place) views.View { return namespaces.New(m.namespaces) }},
		{"contexts", func(m *model, _ views.Place) views.View { return contexts.New(contextRows(m.contexts)) }},
		{"pf", func(*model, views.Place) views.View { return forwards.New() }},
		{"sources", func(*model, views.Place) views.View { return sources.New() }},
		{"aliases", func(*model, views.Place) views.View { return aliases.New(aliasRows()) }},
		{"probes", func(_ *model, p views.Place) views.View { return probes.New(p) }},
		{"answers", func(_ *model, p views.Place) views.View { return probes.NewAnswers(p) }},
		{"smi", func(_ *model, p views.Place) views.View { return smi.New(p) }},
		{"describe", func(_ *model, p views.Place) views.View { return describe.New(p.Ref) }},
		{"text", func(_ *model, p views.Place) views.View { return manifest.Text(p.Name, p.Text) }},
	}
}

func contextRows(all []Context) []contexts.Context {
	var rows []contexts.Context
	for _, c := range all {
		rows = append(rows, contexts.Context{Name: c.Name, Cluster: c.Cluster, User: c.User, Namespace: c.Namespace})
	}
	return rows
}

func aliasRows() []aliases.Command {
	var rows []aliases.Command
	for _, c := range commands() {
		rows = append(rows, aliases.Command{Name: c.name, Aliases: c.aliases, Help: c.help})
	}
	return rows
}

// make makes the view for a place, nil when no screen has the name.
func (n *navigation) make(p views.Place) views.View {
	for _, s := range screens() {
		if s.name == p.Screen {
			v := s.make(n.m, p)
			n.restore(v)
			return v
		}
	}
	return nil
}

// restore gives a view the settings remembered of its screen.
func (n *navigation) restore(v views.View) {
	stateful, is := v.(views.Stateful)
	if !is {
		return
	}
	if state, known := n.m.o.Memory.Of(n.m.session.Context).Screens[v.Name()]; known {
		stateful.Restore(state)
	}
}

// push puts a view on the screen; the way back leads here.
func (n *navigation) push(v views.View) { n.m.stack = append(n.m.stack, v) }

// show goes to a list: the way back leads to the jobs.
func (n *navigation) show(name string) {
	fresh := name == "namespaces" || name == "contexts" // they show what was asked since
	if n.m.lists[name] == nil || fresh {
		n.m.lists[name] = n.make(views.Place{Screen: name})
	}
	if n.m.lists["jobs"] == nil {
		n.m.lists["jobs"] = n.make(views.Place{Screen: "jobs"})
	}
	n.m.stack = []views.View{n.m.lists["jobs"]}
	if name != "jobs" {
		n.push(n.m.lists[name])
	}
}

// isList reports whether a screen is reached by a command and may be where a
// session begins.
func isList(name string) bool {
	switch name {
	case "jobs", "nodes", "gpus", "queues", "events", "diagnose":
		return true
	}
	return false
}
