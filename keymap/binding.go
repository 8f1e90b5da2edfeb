package keymap

import "slices"

// Action is the effect of a key, as a readable code: "jobs.open".
type Action string

// Scope is where a key binding holds: on a screen, on a sort of screen, or
// everywhere.
type Scope string

// Scopes of screens, of sorts of screens (Table, Pager), and of all (Global).
const (
	Global Scope = "global"
	Table  Scope = "table"
	Pager  Scope = "pager"

	Jobs       Scope = "jobs"
	Job        Scope = "job"
	Rank       Scope = "rank"
	Nodes      Scope = "nodes"
	GPUs       Scope = "gpus"
	Node       Scope = "node"
	Queues     Scope = "queues"
	Events     Scope = "events"
	Namespaces Scope = "namespaces"
	Contexts   Scope = "contexts"
	Incidents  Scope = "incidents"
	Sources    Scope = "sources"
	Aliases    Scope = "aliases"
	Settings   Scope = "settings"
	Manifest   Scope = "manifest"
	// Resource is the table of any resource of the API server.
	Resource Scope = "resource"
	// Xray is the tree of what a job is made of.
	Xray Scope = "xray"
	// UsedBy is the list of what uses an object.
	UsedBy Scope = "used-by"
	// Description is the screen that describes one object.
	Description Scope = "describe"
	Help        Scope = "help"
)

// behind is the scope that a screen's own keys fall back to.
var behind = map[Scope]Scope{
	Table: Global, Pager: Global,
	Jobs: Table, Job: Table, Nodes: Table, GPUs: Table, Node: Table, Queues: Table, Events: Table,
	Namespaces: Table, Contexts: Table, Incidents: Table, Sources: Table, Aliases: Table, Settings: Table, Resource: Table, UsedBy: Table, Xray: Table,
	ResourcePods: Resource, ResourceNodes: Resource, ResourceCronJobs: Resource, ResourceWorkloads: Resource,
	Logs: Pager, LogRanks: Table, LogsDifferent: Table,
	Rank: Pager, Manifest: Pager, Description: Pager, Help: Pager,
	Charts: Global, NoCurves: Global, NoLog: Global, Pattern: Global, ChartPicker: Global, Compare: Table,
	Diagnosis: Global, Findings: Table,
	Probes: Table, ProbeAnswers: Table, SMI: Table, Forwards: Table, Dialog: "",
	Prompt: Typing, Typing: "",
}

// Binding binds keys to an action in a scope.
type Binding struct {
	Scope Scope
	// Keys are named as the terminal library names them: "ctrl+s", "G", "shift+left".
	Keys   []string
	Action Action
	// Short is the label in the footer, Long the sentence on the help screen
	// and in the documentation.
	Short, Long string
	// Group is the help screen's column.
	Group string
	// Footer is true for the few keys that the footer names.
	Footer bool
}

// Groups, in the order of the help screen's columns.
const (
	groupScreen  = "This screen"
	groupMove    = "Move"
	groupRows    = "Rows"
	groupSort    = "Sort"
	groupAct     = "Act"
	groupGeneral = "General"
)

// bindings is the table of all keys. Keys of k9s have the same action here; keys that
// k9s uses for actions that do not exist here yet stay free.
var bindings = slices.Concat(
	jobsKeys, jobKeys, diagnosisKeys, chartKeys, patternKeys, compareKeys, logKeys,
	nodeKeys, gpuKeys, eventKeys, incidentKeys, resourceTableKeys, objectKeys, smallScreenKeys,
	tableKeys, pagerKeys, globalKeys,
	acting(), probing(), excerpts(), travelling(), typing(),
)

func keys(names ...string) []string { return names }

// Scopes lists every scope, the most general last.
func Scopes() []Scope {
	return []Scope{
		Jobs, Job, Rank, Logs, LogRanks, LogsDifferent, Nodes, GPUs, Node, Queues, Events, Namespaces, Contexts, Incidents, Sources, Aliases, Settings, ResourcePods, ResourceNodes, ResourceCronJobs, ResourceWorkloads, Resource, UsedBy, Xray, Manifest, Description, Help,
		Charts, NoCurves, NoLog, Pattern, ChartPicker, Compare,
		Diagnosis, Findings,
		Probes, ProbeAnswers, SMI, Forwards, Dialog,
		Prompt, Typing,
		Table, Pager, Global,
	}
}

// chain lists a scope and those behind it.
func chain(scope Scope) []Scope {
	var scopes []Scope
	for scope != "" {
		scopes = append(scopes, scope)
		scope = behind[scope]
	}
	return scopes
}

// Lookup is the action of a key in a scope, where everything is allowed.
func Lookup(scope Scope, key string) (Action, bool) {
	for _, s := range chain(scope) {
		for i := range bindings {
			if bindings[i].Scope == s && bindings[i].has(key) {
				return bindings[i].Action, true
			}
		}
	}
	return "", false
}

func (b *Binding) has(key string) bool {
	for _, k := range b.Keys {
		if k == key {
			return true
		}
	}
	return false
}

// All lists every binding, in the order of the table.
func All() []Binding { return append([]Binding(nil), bindings...) }

// withoutObjects are the scopes whose rows are no objects of a cluster, and
// ofObject what can be asked of objects only.
var (
	withoutObjects = map[Scope]bool{Contexts: true, Sources: true, Aliases: true, Settings: true}
	ofObject       = map[Action]bool{Describe: true, YAML: true}
)

// In lists the bindings that hold in a scope, its own first; shadowed ones are
// left out.
func In(scope Scope) []Binding {
	var in []Binding
	taken := map[string]bool{}
	for _, s := range chain(scope) {
		for _, b := range bindings {
			if b.Scope != s || ofObject[b.Action] && withoutObjects[scope] {
				continue
			}
			b.Keys = free(b.Keys, taken)
			if len(b.Keys) > 0 {
				in = append(in, b)
			}
		}
		for _, b := range bindings {
			if b.Scope == s {
				for _, k := range b.Keys {
					taken[k] = true
				}
			}
		}
	}
	return in
}

func free(keys []string, taken map[string]bool) []string {
	var left []string
	for _, k := range keys {
		if !taken[k] {
			left = append(left, k)
		}
	}
	return left
}

// KeyOf is the first key of an action in the global scope, "" for none.
func KeyOf(a Action) string {
	for i := range bindings {
		if b := &bindings[i]; b.Scope == Global && b.Action == a {
			return b.Keys[0]
		}
	}
	return ""
}

// Footer lists the bindings that the footer of a scope names.
func Footer(scope Scope) []Binding {
	var footer []Binding
	for _, b := range In(scope) {
		if b.Footer {
			footer = append(footer, b)
		}
	}
	return footer
}
