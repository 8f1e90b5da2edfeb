package ui

import (
	"slices"

	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/aliases"
	"github.com/traintop/traintop/views/charts"
	"github.com/traintop/traintop/views/compare"
	"github.com/traintop/traintop/views/contexts"
	"github.com/traintop/traintop/views/describe"
	"github.com/traintop/traintop/views/diagnosis"
	"github.com/traintop/traintop/views/events"
	"github.com/traintop/traintop/views/findings"
	"github.com/traintop/traintop/views/forwards"
	"github.com/traintop/traintop/views/gpus"
	"github.com/traintop/traintop/views/incidents"
	"github.com/traintop/traintop/views/job"
	"github.com/traintop/traintop/views/jobs"
	"github.com/traintop/traintop/views/logs"
	"github.com/traintop/traintop/views/manifest"
	"github.com/traintop/traintop/views/namespaces"
	"github.com/traintop/traintop/views/node"
	"github.com/traintop/traintop/views/nodes"
	"github.com/traintop/traintop/views/pattern"
	"github.com/traintop/traintop/views/probescreen"
	"github.com/traintop/traintop/views/queues"
	"github.com/traintop/traintop/views/rank"
	"github.com/traintop/traintop/views/resources"
	"github.com/traintop/traintop/views/settings"
	"github.com/traintop/traintop/views/smiscreen"
	"github.com/traintop/traintop/views/sourcescreen"
	"github.com/traintop/traintop/views/usedby"
	"github.com/traintop/traintop/views/xray"
)

// navigation moves between screens, and applies their effects.
type navigation struct{ m *model }

// view makes the screen of a route, with its saved settings; nil for no route.
func (n *navigation) view(r views.Route) views.View {
	v := n.screen(r)
	if v != nil {
		n.restore(v)
		n.m.own.arrange(v)
		n.m.kept.arrange(v)
	}
	return v
}

// screen makes the screen of a route.
func (n *navigation) screen(r views.Route) views.View {
	if v := n.jobView(r); v != nil {
		return v
	}
	if v := n.listView(r); v != nil {
		return v
	}
	return n.objectView(r)
}

// jobView makes the screens about one job, or pods of it.
func (*navigation) jobView(r views.Route) views.View {
	switch r := r.(type) {
	case views.JobRoute:
		return job.New(r)
	case views.RankRoute:
		return rank.New(r)
	case views.DiagnosisRoute:
		return diagnosis.New(r)
	case views.ChartsRoute:
		return charts.New(r)
	case views.PatternRoute:
		return pattern.New(r)
	case views.CompareRoute:
		return compare.New(r)
	case views.LogsRoute:
		return logs.New(r)
	case views.XrayRoute:
		return xray.New(r)
	case views.ProbesRoute:
		return probescreen.New(r)
	case views.AnswersRoute:
		return probescreen.NewAnswers(r)
	case views.SMIRoute:
		return smiscreen.New(r)
	}
	return nil
}

// listView makes the lists.
func (n *navigation) listView(r views.Route) views.View {
	switch r := r.(type) {
	case views.JobsRoute:
		return jobs.New(r)
	case views.FindingsRoute:
		return findings.New(r)
	case views.NodesRoute:
		return nodes.New()
	case views.GPUsRoute:
		return gpus.New()
	case views.QueuesRoute:
		return queues.New()
	case views.EventsRoute:
		return events.New()
	case views.NamespacesRoute:
		return namespaces.New(n.m.namespaces.listed)
	case views.ContextsRoute:
		return contexts.New(contextRows(n.m.contexts))
	case views.ForwardsRoute:
		return forwards.New()
	case views.IncidentsRoute:
		return incidents.New()
	case views.SourcesRoute:
		return sourcescreen.New()
	case views.TableRoute:
		return resources.New(r)
	case views.SettingsRoute:
		return settings.New()
	case views.AliasesRoute:
		return aliases.New(aliasRows(n.m))
	}
	return nil
}

// objectView makes the screens about one object, and texts.
func (*navigation) objectView(r views.Route) views.View {
	switch r := r.(type) {
	case views.NodeRoute:
		return node.New(r)
	case views.UsedByRoute:
		return usedby.New(r)
	case views.DescribeRoute:
		return describe.New(r)
	case views.TextRoute:
		return manifest.Text(r)
	}
	return nil
}

func contextRows(all []Context) []contexts.Context {
	var rows []contexts.Context
	for _, c := range all {
		rows = append(rows, contexts.Context{Name: c.Name, Cluster: c.Cluster, User: c.User, Namespace: c.Namespace})
	}
	return rows
}

// aliasRows are all that may be typed at the ":" prompt: commands, the person's own
// aliases, resources of the cluster.
func aliasRows(m *model) []aliases.Command {
	var rows []aliases.Command
	for _, c := range commands() {
		rows = append(rows, aliases.Command{Name: c.name, Aliases: c.aliases, Help: c.help})
	}
	return slices.Concat(rows, m.own.aliasRows(), m.resources.aliasRows())
}

// restore applies the saved settings of its screen to a view.
func (n *navigation) restore(v views.View) {
	stateful, is := v.(views.Stateful)
	if !is {
		return
	}
	if state, known := n.m.o.Memory.Of(n.m.session.Context).Screens[v.Name()]; known {
		stateful.Restore(state)
	}
}

// push shows a view; going back leads here.
func (n *navigation) push(v views.View) { n.m.stack = append(n.m.stack, v) }

// show opens a list: going back leads to the jobs.
func (n *navigation) show(r views.Route) {
	jobs, name := n.list(views.JobsRoute{}), r.Screen()
	switch r.(type) {
	case views.TableRoute: // kept nowhere, so that its rows are forgotten
		n.m.stack = []views.View{jobs, n.view(r)}
		return
	case views.NamespacesRoute, views.ContextsRoute:
		delete(n.m.lists, name) // they show the commands run since
	}
	n.m.kept.keepLayouts(n.m.stack)
	n.m.remember()
	n.m.stack = []views.View{jobs}
	if v := n.list(r); v != jobs {
		n.push(v)
	}
}

// over opens a list above the screen: going back leads there again.
func (n *navigation) over(r views.Route) {
	if n.m.top().Name() == r.Screen() {
		return
	}
	n.m.kept.keepLayouts(n.m.stack)
	n.m.remember()
	n.push(n.list(r))
}

// list is a list as it was left, or a new one.
func (n *navigation) list(r views.Route) views.View {
	name := r.Screen()
	if n.m.lists[name] == nil {
		v := n.view(r)
		n.m.lists[name] = v
		if filterable, is := v.(views.Filterable); is {
			_ = filterable.SetFilter(n.m.own.filterOf(name)) // one that is broken shows all
		}
	}
	return n.m.lists[name]
}

// beginRoutes are the lists that a session may begin with: the one shown last
// is saved.
var beginRoutes = []views.Route{
	views.JobsRoute{}, views.NodesRoute{}, views.GPUsRoute{}, views.QueuesRoute{}, views.EventsRoute{}, views.FindingsRoute{},
}

// beginRoute is the route of a name among them, nil for other screens.
func beginRoute(screen string) views.Route {
	for _, r := range beginRoutes {
		if r.Screen() == screen {
			return r
		}
	}
	return nil
}
