package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui/custom"
	"github.com/traintop/traintop/ui/tasks"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/aliases"
	"github.com/traintop/traintop/views/draw"
)

// own carries out what a person added to the screen: keys, commands, aliases.
type own struct {
	m        *model
	bindings []keymap.OwnBinding
	// saved is the notice about a format that was just written to the file: the
	// file is read again because of it.
	saved string
}

// set is what the person added.
func (o *own) set() custom.Set { return o.m.o.Custom }

// configure reads the keys of the configuration.
func (o *own) configure() {
	o.bindings = o.set().Bindings()
	o.m.warnings = slices.Clone(o.m.warnings)
	for _, problem := range CustomProblems(o.set()) {
		place := "config.yaml"
		if line := o.set().Lines[problem.Key]; line > 0 {
			place += fmt.Sprintf(":%d", line)
		}
		o.m.warnings = append(o.m.warnings, place+": "+problem.Text)
	}
	for _, v := range slices.Concat(slices.Collect(maps.Values(o.m.lists)), o.m.stack) {
		o.arrange(v)
	}
}

// CustomProblems names what of a person's own can do nothing, because of what
// the screen has: an alias that a command hides, a column that no list has.
func CustomProblems(set custom.Set) []custom.Problem {
	var problems []custom.Problem
	add := func(key, text string) { problems = append(problems, custom.Problem{Key: key, Text: text}) }
	for _, name := range set.AliasNames() {
		if _, taken := commandNamed(name); taken {
			add("aliases."+name, "the alias "+name+" does nothing: there is a command of that name")
		}
	}
	for _, name := range set.FilterNames() {
		if why := wrongFilter(set, set.Filters[name]); why != "" {
			add("filters."+name, "the saved filter "+name+" does nothing: "+why)
		}
	}
	lists := columnedLists()
	for _, path := range slices.Sorted(maps.Keys(set.Typed)) {
		if why := wrongLine(set, set.Typed[path], lists); why != "" {
			add(path, path+": "+why)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set.Views)) {
		list := lists[name]
		if list == nil {
			add("views."+name, "views."+name+": there is no such list; lists are "+strings.Join(slices.Sorted(maps.Keys(lists)), ", "))
			continue
		}
		titles := strings.Join(list.ColumnTitles(), ", ")
		for _, title := range list.UseColumns(columnsOf(set.Views[name])) {
			add("views."+name+".columns", "views."+name+" has no column "+title+"; columns are "+titles)
		}
		view := set.Views[name]
		if !sorts(list, view) {
			add("views."+name+".sort", "views."+name+" has no column "+view.Sort+" to sort by; columns are "+titles+", and desc or asc may follow one")
		}
		if why := wrongFilter(set, view.Filter); why != "" {
			add("views."+name+".filter", "the filter of views."+name+" cannot be used: "+why)
		}
	}
	return problems
}

// sorts reports whether a view has the column that it is sorted by.
func sorts(list views.Columned, view custom.View) bool {
	titles := list.ColumnTitles()
	for _, column := range view.Columns {
		titles = append(titles, column.Title)
	}
	return view.Sort == "" || slices.ContainsFunc(titles, func(title string) bool { return strings.EqualFold(title, view.Sort) })
}

// wrongFilter is why a filter of the configuration cannot be used, "" where it can.
func wrongFilter(set custom.Set, text string) string {
	text = strings.TrimPrefix(text, "/")
	if saved, is := strings.CutPrefix(text, "@"); is {
		if _, there := set.Filters[saved]; !there {
			return "there is no saved filter " + saved
		}
		return ""
	}
	if _, err := draw.ParseFilter(text); err != nil {
		return err.Error()
	}
	return ""
}

// wrongLine is why a line of the ":" prompt does nothing on any cluster, "" where it may do
// something. A word that is like no command, or its singular, may be a resource of the cluster.
func wrongLine(set custom.Set, line string, lists map[string]views.Columned) string {
	words := strings.Fields(line)
	if len(words) == 0 {
		return ""
	}
	c, known := commandNamed(words[0])
	if !known {
		words = strings.Fields(set.Line(line))
		c, known = commandNamed(words[0])
	}
	if !known {
		for _, of := range commands() {
			for _, name := range append([]string{of.name}, of.aliases...) {
				if len(name) > 3 && words[0]+"s" != name && views.OneLetterOff(strings.ToLower(words[0]), name) {
					return "there is no command " + words[0] + "; is it " + name + "?"
				}
			}
		}
		return ""
	}
	filter := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "/") })
	if lists[c.name] == nil || filter < 0 {
		return ""
	}
	if why := wrongFilter(set, strings.Join(words[filter:], " ")); why != "" {
		return "its filter cannot be used: " + why
	}
	return ""
}

// columnedLists are the lists whose columns a person may choose, by name.
func columnedLists() map[string]views.Columned {
	lists := map[string]views.Columned{}
	empty := &model{}
	empty.wire()
	n := navigation{empty}
	routes := slices.Concat(beginRoutes, []views.Route{views.NamespacesRoute{}, views.ContextsRoute{}, views.JobRoute{}})
	for _, route := range routes {
		v := n.screen(route)
		if list, is := v.(views.Columned); is {
			lists[v.Name()] = list
		}
	}
	return lists
}

func columnsOf(v custom.View) []views.OwnColumn {
	columns := make([]views.OwnColumn, len(v.Columns))
	for i, c := range v.Columns {
		columns[i] = views.OwnColumn(c)
	}
	return columns
}

// arrange gives a list the columns and the order that the person wants.
func (o *own) arrange(v views.View) {
	list, is := v.(views.Columned)
	if !is {
		return
	}
	wanted := o.set().Views[v.Name()]
	list.UseColumns(columnsOf(wanted))
	if wanted.Sort != "" {
		list.SortBy(titleLike(list.ColumnTitles(), wanted), wanted.Descending)
	}
	if wanted.Wide != nil {
		list.SetWide(*wanted.Wide)
	}
}

// filterOf is the filter that a list begins with.
func (o *own) filterOf(list string) string {
	return o.set().Filter(strings.TrimPrefix(o.set().Views[list].Filter, "/"))
}

// titleLike is the title that a person means by the name of a column.
func titleLike(titles []string, wanted custom.View) string {
	for _, title := range titles {
		if strings.EqualFold(title, wanted.Sort) {
			return title
		}
	}
	return wanted.Sort // that of a label or an annotation
}

// do carries out the action of a key of the person's own.
func (o *own) do(action keymap.Action) (cmd tea.Cmd, is bool) {
	number, is := keymap.OwnNumber(action)
	if !is || number >= len(o.set().Keys) {
		return nil, is
	}
	key := o.set().Keys[number]
	if key.Program == nil {
		return o.m.run(key.Line), true
	}
	return o.start(key), true
}

// start runs the program of a key for what is selected.
func (o *own) start(key custom.Key) tea.Cmd {
	if key.Impact == keymap.Changes {
		switch {
		case o.m.session.ReadOnly:
			return o.m.say("nothing is changed here: this session is read-only, and "+key.Name+" is not marked readOnlySafe", true)
		case o.m.travel.past():
			return o.m.say(key.Name+" would run now, and this is how it was at "+clockTime(o.m.travel.at)+"; "+keymap.Print(keymap.KeyOf(keymap.TravelNow))+" goes back to now", true)
		case o.m.acting.actor() == nil:
			return o.m.say(key.Name+" needs a cluster, and this is what was read from "+o.m.session.Context, true)
		}
	}
	call := tasks.ProgramCall{Key: key}
	for _, ref := range o.selected() {
		run, err := key.Program.Resolve(o.values(ref))
		if err != nil {
			return o.m.say(key.Name+": "+err.Error(), true)
		}
		if o.m.o.Kubeconfig != "" {
			run.Environment = append(run.Environment, "KUBECONFIG="+o.m.o.Kubeconfig)
		}
		call.Runs, call.On = append(call.Runs, run), append(call.On, ref)
	}
	return o.m.tasks.Programs.Start(call)
}

// selected are the chosen objects; the job that the screen is about where it
// has no rows, and one object without a name where it is about none.
func (o *own) selected() []train.Ref {
	if chosen := o.m.acting.selected(); len(chosen) > 0 {
		return chosen
	}
	if job := o.m.snapshot.Job(o.m.lastJob); job != nil {
		switch o.m.top().Scope() {
		case keymap.Logs, keymap.LogRanks, keymap.LogsDifferent, keymap.Charts, keymap.Job, keymap.Rank, keymap.Diagnosis:
			return []train.Ref{job.Ref}
		}
	}
	return []train.Ref{{}}
}

// values are what the variables of a command represent.
func (o *own) values(ref train.Ref) custom.Values {
	v := custom.Values{"NAME": ref.Name, "KIND": ref.KindName(), "NAMESPACE": ref.Namespace, "KUBECONFIG": o.m.o.Kubeconfig}
	if v["KUBECONFIG"] == "" {
		v["KUBECONFIG"] = o.m.environment("KUBECONFIG")
	}
	if ref.Name == "" {
		v["NAMESPACE"] = o.m.namespace
	}
	if o.m.session.Actor != nil {
		o.addContext(v)
	}
	if filterable, is := o.m.top().(views.Filterable); is {
		v["FILTER"] = filterable.Filter()
	}
	o.addCells(v, ref)
	if ref.Group == "" && ref.Kind == "Node" {
		v["NODE"] = ref.Name
		o.addMeta(v, ref)
		return v
	}
	o.addMeta(v, ref)
	if target, found := o.m.acting.named(ref); found {
		addTarget(v, target)
		o.addJob(v, o.m.snapshot.Job(target.Job))
	}
	o.addJob(v, o.m.snapshot.Job(ref.JobID()))
	return v
}

// addCells adds the cells of the object's row by the titles of their columns,
// as k9s does.
func (o *own) addCells(v custom.Values, ref train.Ref) {
	v[custom.ColumnVariable("NAME")], v[custom.ColumnVariable("NAMESPACE")] = v["NAME"], v["NAMESPACE"]
	celled, is := o.m.top().(views.Celled)
	if !is {
		return
	}
	for title, text := range celled.Cells(o.m.frame())[ref] {
		v[custom.ColumnVariable(title)] = text
	}
}

// addContext adds the connection of the session. There is none for files: what
// kubectl has as its current context is another cluster.
func (o *own) addContext(v custom.Values) {
	v["CONTEXT"] = o.m.session.Context
	for _, c := range o.m.contexts {
		if c.Name == o.m.session.Context {
			v["CLUSTER"], v["USER"] = c.Cluster, c.User
		}
	}
}

func addTarget(v custom.Values, t actions.Target) {
	v["POD"], v["CONTAINER"], v["NODE"] = t.Pod, t.Name, t.Node
	if t.Index >= 0 {
		v["RANK"] = strconv.Itoa(t.Index)
	}
}

func (o *own) addJob(v custom.Values, job *train.Job) {
	if job == nil {
		return
	}
	v["JOB"], v["JOB_KIND"], v["JOB_NAMESPACE"] = job.Ref.Name, job.Ref.KindName(), job.Ref.Namespace
	if job.Queue != nil {
		v["QUEUE"] = job.Queue.Name
	}
	o.addMeta(v, job.Ref)
}

// addMeta adds labels and annotations. Those of a job come after those of its
// pod, which has more of them.
func (o *own) addMeta(v custom.Values, ref train.Ref) {
	labels, annotations := views.ObjectMeta(o.m.snapshot, ref)
	addAll(v, "label:", labels)
	addAll(v, "annotation:", annotations)
}

func addAll(v custom.Values, prefix string, all map[string]string) {
	for name, value := range all {
		v[prefix+name] = value
	}
}

// aliasRows are the person's aliases as rows of the list of commands.
func (o *own) aliasRows() []aliases.Command {
	var rows []aliases.Command
	for _, name := range o.set().AliasNames() {
		rows = append(rows, aliases.Command{Name: name, Help: "yours: " + o.set().Aliases[name]})
	}
	return rows
}
