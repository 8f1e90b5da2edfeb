// Package resources shows any resource of the API server as the table that the server
// makes of it, live while it is open.
package resources

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the table of one resource.
type View struct {
	views.Rows[*apitable.Row]
	resource apitable.Listing // Namespace is "": the frame has it
	table    *apitable.Table
	// defined are the columns that the screen was built for.
	defined string
	// owner limits the rows to what it owns; its zero value shows all.
	owner train.Ref
	// wanted is the key of the row to put the cursor on once it is there.
	wanted string
	// saved are settings for columns that are not there yet, nil for none.
	saved *views.State
}

// New makes the screen.
func New(r views.TableRoute) *View {
	v := &View{resource: r.Resource, wanted: r.Select, owner: r.Owner}
	v.resource.Namespace = ""
	v.Noun = strings.ToLower(cmp.Or(r.Resource.Kind, "object"))
	v.Key = (*apitable.Row).Key
	v.Labels = func(r *apitable.Row) map[string]string { return r.Labels }
	v.FirstName = "name"
	v.Ref = v.resource.Ref
	v.Faulty = func(r *apitable.Row) bool { return faulty(v.table, r) }
	v.Enter = v.enter
	return v
}

// Name is the name of the resource with its group.
func (v *View) Name() string { return views.TableRoute{Resource: v.resource}.Screen() }

// Crumb is the name of the resource.
func (v *View) Crumb() string { return v.resource.Plural }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope {
	switch {
	case v.resource.Is("", "Pod"):
		return keymap.ResourcePods
	case v.resource.Is("", "Node"):
		return keymap.ResourceNodes
	case kinds.ScheduleOf(v.kind()) != nil:
		return keymap.ResourceCronJobs
	case v.makesPods():
		return keymap.ResourceWorkloads
	}
	return keymap.Resource
}

// makesPods reports whether the rows are workloads that own pods.
func (v *View) makesPods() bool {
	return ownedKinds[v.kind()] == kinds.PodKind
}

func (v *View) kind() schema.GroupKind {
	return schema.GroupKind{Group: v.resource.Group, Kind: v.resource.Kind}
}

// Tables is the table that the screen shows.
func (v *View) Tables(f views.Frame) []apitable.Listing { return []apitable.Listing{v.in(f)} }

// in is the resource in the frame's namespace.
func (v *View) in(f views.Frame) apitable.Listing {
	in := v.resource
	if in.Namespaced {
		in.Namespace = cmp.Or(v.owner.Namespace, f.Namespace)
	}
	return in
}

// Title counts the objects, and shows what is not as it should be.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	name := v.resource.FullName()
	title := views.Title{Text: draw.Clean(strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]), Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
	t := v.table
	if t == nil {
		return title
	}
	if t.Listed {
		title.Text += " " + draw.Count(v.Len())
	}
	part := func(text string, role themes.Role) {
		room := max(20, f.Width-draw.Width(title.Text)-draw.Width(title.Flags)-draw.Width(title.Note)-12)
		title.Parts = append(title.Parts, draw.Span{Text: draw.Cut(draw.Clean(text), room, f.Theme.Glyphs.Ellipsis), Role: role})
	}
	if v.owner.Name != "" {
		part("of "+v.ownerName(), themes.Accent)
	}
	switch {
	case t.Trouble != "" && t.Listed:
		part("as last read: "+t.Trouble, themes.Bad)
	case t.OnlyIn != "":
		part("only in "+t.OnlyIn+": all may not be listed", themes.Waiting)
	}
	if t.Every > 0 {
		part("may not be watched: read every "+termtext.Duration(t.Every), themes.Waiting)
	}
	return title
}

// KeyWord names the key that scales where objects have a size.
func (v *View) KeyWord(action keymap.Action, word string) string {
	if action == keymap.Replicas && !v.resource.Scalable {
		return ""
	}
	return v.Rows.KeyWord(action, word)
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	row, any := v.Current()
	if !any {
		switch action {
		case keymap.ShowUsers, keymap.OpenLogs, keymap.OpenPrevious, keymap.GoNode:
			return views.Notice{Text: "there is no object here", Failed: true}, true
		}
		return v.Rows.Do(action, f)
	}
	switch ref := v.resource.Ref(row); action {
	case keymap.Replicas:
		if !v.resource.Scalable {
			return views.Notice{Text: "a " + draw.Clean(v.resource.Kind) + " has no size to change", Failed: true}, true
		}
	case keymap.JumpOwner:
		return owner(row, f), true
	case keymap.ShowUsers:
		return usersOf(ref), true
	case keymap.OpenLogs, keymap.OpenPrevious:
		return logs(ref, action == keymap.OpenPrevious, f), true
	case keymap.GoNode:
		return nodeOf(ref, f), true
	}
	return v.Rows.Do(action, f)
}

// usersOf opens the list of what uses an object.
func usersOf(ref train.Ref) views.Effect {
	if ref.Group == "" {
		switch ref.Kind {
		case "ConfigMap", "Secret", "PersistentVolumeClaim", "ServiceAccount":
			return views.OpenScreen{Route: views.UsedByRoute{Ref: ref}}
		}
	}
	return views.Notice{Text: "who uses an object is known of ConfigMaps, Secrets, claims and accounts", Failed: true}
}

// logs opens the log of a pod, or those of all pods of a workload.
func logs(ref train.Ref, previous bool, f views.Frame) views.Effect {
	route, is := logsOf(ref, f)
	workload := ownedKinds[schema.GroupKind{Group: ref.Group, Kind: ref.Kind}] == kinds.PodKind
	if workload {
		route, is = views.LogsOfWorkload(f.Snapshot, ref)
	}
	switch {
	case workload && !is:
		return views.Notice{Text: "no pod of " + draw.Clean(ref.Name) + " is known: it runs none, or its pods are out of sight", Failed: true}
	case workload:
	case !isPod(ref):
		return views.Notice{Text: "only pods have logs", Failed: true}
	case !is:
		return views.Notice{Text: draw.Clean(ref.Name) + " is not known yet, or is out of sight", Failed: true}
	}
	route.Previous = previous
	return views.OpenScreen{Route: route}
}

// nodeOf opens the node of a pod.
func nodeOf(ref train.Ref, f views.Frame) views.Effect {
	if isPod(ref) {
		if pod := f.Snapshot.Pod(ref.Namespace, ref.Name); pod != nil && f.Snapshot.Node(pod.Spec.NodeName) != nil {
			return views.OpenScreen{Route: views.NodeRoute{Name: pod.Spec.NodeName}}
		}
	}
	return views.Notice{Text: "no node of " + draw.Clean(ref.Name) + " is known", Failed: true}
}

// owner opens the job that owns an object, or else the table with its owner.
func owner(row *apitable.Row, f views.Frame) views.Effect {
	if row.Owner.Name == "" {
		return views.Notice{Text: "nothing owns " + draw.Clean(row.Name)}
	}
	if job := f.Snapshot.Job(row.Owner.JobID()); job != nil {
		return views.OpenScreen{Route: views.JobRoute{Job: job.ID}}
	}
	return views.ShowInTable{Ref: row.Owner}
}

// logsOf is the route to the log of a pod.
func logsOf(ref train.Ref, f views.Frame) (views.LogsRoute, bool) {
	if !isPod(ref) {
		return views.LogsRoute{}, false
	}
	return views.LogsOfPod(f.Snapshot, ref)
}

// State is the saved state of the table.
func (v *View) State() views.State {
	if v.saved != nil {
		return *v.saved
	}
	return v.Rows.State()
}

// Restore applies the saved state, once the columns are known.
func (v *View) Restore(s views.State) { v.saved = &s }

// Render draws the table.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string { return v.none(f) })
}

// none reports why there is no row.
func (v *View) none(f views.Frame) []string {
	name, t := draw.Clean(v.resource.FullName()), v.table
	where := ""
	if v.resource.Namespaced {
		where = " in all namespaces"
		if in := cmp.Or(v.in(f).Namespace, onlyIn(t)); in != "" {
			where = " in namespace " + in
		}
	}
	switch {
	case f.Tables == nil:
		return []string{"tables of the API server show the present only", keymap.Print(keymap.KeyOf(keymap.TravelNow)) + " goes back to now"}
	case t != nil && t.Refused:
		return []string{"not allowed to list " + name + where, t.Trouble, "what is there is unknown; :ns NAME tries another namespace"}
	case t != nil && t.Trouble != "":
		return []string{"reading " + name + " failed; it is tried again", t.Trouble}
	case t == nil || !t.Listed:
		return []string{"listing " + name + where + f.Theme.Glyphs.Ellipsis}
	}
	if v.owner.Name != "" {
		return []string{"there are no " + name + " of " + draw.Clean(v.ownerName())}
	}
	return []string{"there are no " + name + where}
}

func onlyIn(t *apitable.Table) string {
	if t == nil {
		return ""
	}
	return t.OnlyIn
}

func (v *View) load(f views.Frame) {
	listing := v.in(f)
	v.table = f.Tables[listing]
	version := draw.Version{Limits: listing.Namespace}
	if v.table != nil {
		version.Data = v.table.Version
		v.define(f)
	}
	v.Load(version, f.Ink(), func() []*apitable.Row {
		if v.table == nil {
			return nil
		}
		return v.owned(v.table.Rows)
	})
	if v.wanted != "" && v.Len() > 0 {
		v.Select(v.wanted)
		v.wanted = ""
	}
}

// define makes the columns anew when the server has defined others.
func (v *View) define(f views.Frame) {
	var names strings.Builder
	for _, c := range v.table.Columns {
		names.WriteString(c.Name + "\x00")
	}
	if v.defined != names.String() {
		v.defined = names.String()
		sortBy, descending := v.Sorting()
		columns, sorts := columnsOf(v.table)
		v.SetColumns(columns)
		v.Sorts = sorts
		v.SortBy(sortBy, descending)
		if v.saved != nil {
			v.Rows.Restore(*v.saved)
			v.saved = nil
		}
	}
	if v.resource.Namespaced && len(v.Columns) > 0 {
		v.Columns[0].Wide = v.in(f).Namespace != ""
	}
}
