package ui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
	"github.com/traintop/traintop/views/help"
)

// command is a command of the ":" prompt.
type command struct {
	name    string
	aliases []string
	help    string
	run     func(m *model, words []string) tea.Cmd
}

// commands lists them in the order in which they are offered.
func commands() []command {
	return []command{
		{"jobs", []string{"job", "j"}, "training jobs; :jobs NAMESPACE, :jobs /filter, :jobs label=value, :jobs @context", list(views.JobsRoute{})},
		{"nodes", []string{"node", "no"}, "nodes with their GPUs and who holds them", list(views.NodesRoute{})},
		{"gpus", []string{"gpu", "devices", "heat"}, "every GPU: what it does, who holds it, what is wrong; as heat map and table", list(views.GPUsRoute{})},
		{"queues", []string{"queue", "qu"}, "queues and quotas: used, limit, who waits", list(views.QueuesRoute{})},
		{"logs", []string{"log", "lo"}, "logs of the job under the cursor, or last opened; :logs NAME", ofJob(func(id train.JobID) views.Route { return views.LogsRoute{Job: id} })},
		{"charts", []string{"chart", "curves", "cu"}, "curves of the job under the cursor, or last opened; :charts NAME", ofJob(func(id train.JobID) views.Route { return views.ChartsRoute{Job: id} })},
		{"compare", []string{"cmp", "diff"}, "runs side by side: the marked jobs, those laid over the charts, or :compare NAME NAME", compareCommand},
		{"diagnose", []string{"diagnosis", "findings", "why", "di"}, "what is wrong, grouped by cause; :diagnose JOB for one job", diagnoseCommand},
		{"incidents", []string{"incident", "inc", "alerts"}, "what went wrong while this or traintop watch looked: open, taken, muted and past incidents", list(views.IncidentsRoute{})},
		{"xray", []string{"tree"}, "what the job under the cursor is made of, with what is missing; :xray NAME", ofJob(func(id train.JobID) views.Route { return views.XrayRoute{Job: id} })},
		{"pods", []string{"pod", "po"}, "all pods, and in the same way any other resource by its names: :pvc, :deploy, :core/nodes", podsCommand},
		{"events", []string{"event", "ev"}, "events, warnings first; :events NAMESPACE, :events /filter", list(views.EventsRoute{})},
		{"namespaces", []string{"namespace", "ns"}, "namespaces with their jobs; :ns NAME uses one, :ns all uses all", useNamespace},
		{"contexts", []string{"context", "ctx"}, "contexts of the kubeconfig; :ctx NAME changes to one", useContext},
		{"pf", []string{"forwards", "forward", "port-forwards"}, "ports of pods that are forwarded to this machine", list(views.ForwardsRoute{})},
		{"at", []string{"time"}, "another time of a recording, or of what this run has seen: :at 14:07, :at -5m, :at now", goAt},
		{"sources", []string{"source", "src", "health"}, "what the snapshot is made from, and what was refused", list(views.SourcesRoute{})},
		{"settings", []string{"config", "set"}, "the configuration: every setting, where it comes from, and another value", list(views.SettingsRoute{})},
		{"aliases", []string{"alias", "a"}, "all commands, and the resources of the cluster with their short names", aliasesCommand},
		{"help", []string{"h", "?"}, "the keys that are valid here", func(m *model, _ []string) tea.Cmd { return m.nav.help() }},
		{"quit", []string{"q", "q!", "qa", "exit"}, "quit", func(*model, []string) tea.Cmd { return tea.Quit }},
	}
}

func commandNamed(word string) (command, bool) {
	word = strings.ToLower(word)
	for _, c := range commands() {
		if c.name == word || slices.Contains(c.aliases, word) {
			return c, true
		}
	}
	return command{}, false
}

// run executes a line typed at the prompt.
func (m *model) run(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil
	}
	c, known := commandNamed(words[0])
	if !known {
		words = strings.Fields(m.own.set().Line(text))
		c, known = commandNamed(words[0])
	}
	if !known {
		return m.resources.open(words)
	}
	m.history.begin(m.stack)
	m.history.add(text)
	return c.run(m, words[1:])
}

// list opens a list, filtered by the words after its name.
func list(r views.Route) func(m *model, words []string) tea.Cmd {
	return func(m *model, words []string) tea.Cmd {
		var then []tea.Cmd
		filter := ""
		for i, word := range words {
			switch {
			case strings.HasPrefix(word, "/"):
				filter = strings.TrimPrefix(strings.Join(words[i:], " "), "/")
				words = nil
			case strings.HasPrefix(word, "@"):
				then = append(then, m.switchTo(word[1:]))
			case strings.Contains(word, "="):
				filter = "-l " + word
			default:
				if why := m.namespaces.whyWrong(namespaceWord(word)); why != "" {
					return m.say(why, true)
				}
				then = append(then, m.setNamespace(namespaceWord(word)))
			}
			if words == nil {
				break
			}
		}
		m.nav.show(r)
		if filter == "" {
			filter = m.own.filterOf(r.Screen())
		}
		if filterable, is := m.top().(views.Filterable); is {
			if err := filterable.SetFilter(m.own.set().Filter(filter)); err != nil {
				then = append(then, m.say(err.Error(), true))
			}
		}
		return tea.Batch(then...)
	}
}

// namespaceWord is the namespace that a typed word names.
func namespaceWord(word string) string {
	if word == "all" || word == "-" || word == "*" {
		return ""
	}
	return word
}

func useNamespace(m *model, words []string) tea.Cmd {
	if len(words) == 0 {
		m.nav.show(views.NamespacesRoute{})
		return m.namespaces.ask()
	}
	return m.setNamespace(namespaceWord(words[0]))
}

func useContext(m *model, words []string) tea.Cmd {
	if len(words) == 0 {
		m.nav.show(views.ContextsRoute{})
		return m.askContexts()
	}
	return m.switchTo(words[0])
}

func (n *navigation) help() tea.Cmd {
	if n.m.top().Scope() == keymap.Help {
		n.back()
		return nil
	}
	n.push(help.New(n.m.top().Name(), n.m.top().Scope(), n.m.acting.rights()))
	return nil
}

// setNamespace sets the current namespace.
func (m *model) setNamespace(namespace string) tea.Cmd {
	if why := m.namespaces.whyWrong(namespace); why != "" {
		return m.say(why, true)
	}
	m.namespace = namespace
	m.namespaces.favour(namespace)
	text := "namespace " + namespace
	if namespace == "" {
		text = "all namespaces"
	}
	if cluster := m.o.Cluster; cluster != nil {
		cluster.UseNamespace(namespace)
	}
	return m.say(text, false)
}

// completions are the possible completions of a prompt's text, the best first.
func (t *typing) completions(text string) []string {
	head, word := "", text
	if i := strings.LastIndexByte(text, ' '); i >= 0 {
		head, word = text[:i+1], text[i+1:]
	}
	if strings.HasPrefix(word, "/@") {
		return offersOf(head+"/", t.savedFilters(word[1:]))
	}
	var found []string
	for _, candidate := range t.candidates(strings.Fields(head), word) {
		if strings.HasPrefix(candidate, word) && candidate != word {
			found = append(found, head+candidate)
		}
	}
	return found
}

func offersOf(head string, words []string) []string {
	var all []string
	for _, word := range words {
		all = append(all, head+word)
	}
	return all
}

// savedFilters are the saved filters that a typed text may become.
func (t *typing) savedFilters(text string) (offers []string) {
	for _, name := range t.m.own.set().FilterNames() {
		if offer := "@" + name; strings.HasPrefix(offer, text) && offer != text {
			offers = append(offers, offer)
		}
	}
	return offers
}

// candidates are what a word may become that is typed behind others.
func (t *typing) candidates(before []string, word string) []string {
	if len(before) == 0 {
		var names []string
		for _, c := range commands() {
			names = append(names, c.name)
		}
		for _, c := range commands() {
			names = append(names, c.aliases...)
		}
		names = append(names, t.m.own.set().AliasNames()...)
		return append(names, t.m.resources.names()...)
	}
	c, known := commandNamed(before[0])
	if !known {
		c, _ = commandNamed(firstWord(t.m.own.set().Line(before[0])))
	}
	switch c.name {
	case "contexts":
		var names []string
		for _, c := range t.m.contexts {
			names = append(names, draw.Clean(c.Name))
		}
		return names
	case "logs", "charts", "xray", "compare", "diagnose":
		return t.m.jobNames(word)
	case "jobs", "nodes", "gpus", "events", "queues", "incidents", "namespaces", "pods":
		return append(t.knownNamespaces(), "all")
	}
	if found, known := t.m.resources.find(before[0]); known && found.Namespaced {
		return append(t.knownNamespaces(), "all")
	}
	return nil
}

// knownNamespaces are those listed by the cluster and those with jobs.
func (t *typing) knownNamespaces() []string {
	known := slices.Clone(t.m.namespaces.listed)
	last := ""
	for _, j := range t.m.snapshot.Jobs() {
		if j.Ref.Namespace != last {
			last = j.Ref.Namespace
			known = append(known, last)
		}
	}
	slices.SortFunc(known, func(a, b string) int { return cmp.Compare(a, b) })
	return slices.Compact(known)
}
