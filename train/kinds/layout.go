package kinds

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Layout describes where the objects of a kind have what a job is made of. It reads
// kinds that have no reader of their own: those of the configuration, and
// kinds of the list that need no more.
type Layout struct {
	schema.GroupKind
	// Resource is the plural that the API serves, "" for that of the kind's
	// name in small letters.
	Resource string
	// Versions are those with this layout, the preferred first.
	Versions []string
	// Roles are the groups of equal pods, in the order of their ranks.
	Roles []RoleLayout
	// Suspend is a boolean, or a text that is there while the job is suspended.
	Suspend Path
	// Conditions is a list of conditions, status.conditions without it.
	Conditions Path
	// Phase is a text.
	Phase Path
	// Phases are the types of conditions, and texts of Phase, that mean a
	// phase; a phase that is not in it has its usual ones.
	Phases map[train.Phase][]string
	// Started and Finished are times.
	Started, Finished Path
	// Least and Most are how many pods an elastic job may have.
	Least, Most Path
	Pods        PodLayout
	// General is true for kinds that run anything, not only training.
	General bool
}

// RoleLayout describes where a role is, or several of one form.
type RoleLayout struct {
	// Name is the role's; with Each it is the field of an entry with its name,
	// name without it. Entries of a map have the names of the map.
	Name string
	// Each, if set, is a map or a list whose entries are roles: the other paths
	// begin at an entry then, and at the root of the object otherwise.
	Each Path
	// Replicas is the number of pods, 1 where the object leaves it out.
	Replicas Path
	// Template is a pod template, whose field spec is read.
	Template Path
	// Container is a container that is added to those of Template: some kinds
	// declare their main one beside it.
	Container Path
	// Ready is the number of pods that are ready, of the operator's own count.
	Ready Path
}

// PodLayout describes how pods belong to a job of the kind.
type PodLayout struct {
	// Labels find the pods that the object does not own: a label's value, in
	// which {name} is the name of the job.
	Labels map[string]string
	// Role and Index are labels or annotations with the pod's role and its
	// number in it. Without Index the number at the end of its name counts.
	Role, Index string
	// Aside are roles that are no ranks, as a pod that only coordinates.
	Aside []string
	// Container is the usual name of the training container, "" without one.
	Container string
}

// NamePlaceholder is the placeholder of the name of the job in a value of
// PodLayout.Labels.
const NamePlaceholder = "{name}"

// usualPhases are the words that operators have for phases, in the order in
// which they count.
var usualPhases = []struct {
	phase train.Phase
	words []string
}{
	{train.Failed, []string{"Failed"}},
	{train.Succeeded, []string{"Succeeded", "Complete", "Completed"}},
	{train.Suspended, []string{"Suspended"}},
	{train.Queued, []string{"Queued", "Queuing"}},
	{train.Restarting, []string{"Restarting"}},
	{train.Running, []string{"Running"}},
}

// PhasesOfLayouts are the phases that words of a layout can mean.
func PhasesOfLayouts() []train.Phase {
	phases := make([]train.Phase, len(usualPhases))
	for i := range usualPhases {
		phases[i] = usualPhases[i].phase
	}
	return append(phases, train.Pending)
}

// kind is the entry of the list of kinds.
func (l *Layout) kind() Kind {
	resource := l.Resource
	if resource == "" {
		resource = termtext.Plural(2, strings.ToLower(l.Kind))
	}
	return Kind{GroupKind: l.GroupKind, Resource: resource, Versions: l.Versions, read: l.read, layout: l}
}

func (l *Layout) read(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	a := &specAndStatus{
		operatorStatus: l.word(top),
		untouched:      len(top.in("status")) == 0,
		started:        l.Started.time(top),
		finished:       l.Finished.time(top),
		general:        l.General,
	}
	a.odd, a.unknownPhase = l.odd(top, a.operatorStatus), l.unknownPhase(top, a.operatorStatus)
	a.suspended = l.Suspend.isSet(top) || a.operatorStatus.phase == train.Suspended
	if a.operatorStatus.phase == train.Suspended {
		a.operatorStatus.phase = ""
	}
	if f.Top != nil {
		a.roles, a.unread = l.roles(top)
	}
	for i := range a.roles {
		a.alive += a.roles[i].ready
	}
	a.elastic = l.elastic(top, a.roles)
	for _, name := range l.Pods.Aside {
		if roleWanted(a, name) < 0 {
			a.roles = append(a.roles, role{name: name, aside: true})
		}
	}
	a.position = func(pod *corev1.Pod) rankPosition { return l.position(pod, a) }
	return a
}

// word returns what the operator reports: conditions count before a phase, which
// may be left behind from before them.
func (l *Layout) word(top fields) operatorStatus {
	status := fields{"conditions": l.conditions().at(top)}
	for _, usual := range usualPhases {
		if c, holds := holding(status, l.words(usual.phase, usual.words)...); holds {
			return operatorStatusOf(usual.phase, c)
		}
	}
	said, _ := l.Phase.at(top).(string)
	for _, usual := range usualPhases {
		if slices.ContainsFunc(l.words(usual.phase, usual.words), func(word string) bool { return strings.EqualFold(word, said) }) {
			return operatorStatus{phase: usual.phase}
		}
	}
	return operatorStatus{}
}

func (l *Layout) conditions() Path {
	if len(l.Conditions) > 0 {
		return l.Conditions
	}
	return Path{"status", "conditions"}
}

func (l *Layout) words(phase train.Phase, usual []string) []string {
	if own, has := l.Phases[phase]; has {
		return own
	}
	return usual
}

// roles reads the roles. unread names what of the layout is not in the object,
// where a role cannot be read.
func (l *Layout) roles(top fields) (roles []role, unread string) {
	missing := func(paths ...Path) {
		var names []string
		for _, path := range paths {
			if len(path) > 0 {
				names = append(names, path.String())
			}
		}
		unread = "its size could not be read: it has no " + strings.Join(names, " and no ")
	}
	for _, layout := range l.Roles {
		if len(layout.Each) == 0 {
			one, found := layout.read(layout.Name, top)
			if !found {
				missing(layout.Replicas, layout.Template)
				continue
			}
			roles = append(roles, one)
			continue
		}
		entries := layout.entries(top)
		if len(entries) == 0 {
			missing(layout.Each)
		}
		for _, entry := range entries {
			one, found := layout.read(entry.name, entry.fields)
			if !found {
				missing(layout.Replicas, layout.Template)
			}
			if !l.isAside(entry.name) {
				roles = append(roles, one)
			}
		}
	}
	for i := range roles {
		roles[i].container = l.Pods.Container
	}
	return roles, unread
}

func (l *Layout) isAside(name string) bool {
	return slices.ContainsFunc(l.Pods.Aside, func(aside string) bool { return strings.EqualFold(aside, name) })
}

// read reads one role; found is false where nothing of it is there.
func (r *RoleLayout) read(name string, from fields) (one role, found bool) {
	one = role{name: name, wanted: 1, template: r.podTemplate(from)}
	if name == "" {
		one.name = batchRole
	}
	in, field := r.Replicas.holder(from)
	if n, stated := in.number(field); stated {
		one.wanted, found = max(0, n), true
	}
	in, field = r.Ready.holder(from)
	one.ready = in.count(field, 0)
	return one, found || one.template != nil
}

// podTemplate returns the template, with the container beside it; nil where
// neither is there.
func (r *RoleLayout) podTemplate(from fields) fields {
	declared := asFields(r.Template.at(from))
	container := asFields(r.Container.at(from))
	if container == nil {
		return declared
	}
	spec := maps.Clone(declared.in("spec"))
	if spec == nil {
		spec = fields{}
	}
	others, _ := spec["containers"].([]any)
	spec["containers"] = append(slices.Clip(others), map[string]any(container))
	return fields{"metadata": declared["metadata"], "spec": map[string]any(spec)}
}

// namedFields is an entry of a map or a list.
type namedFields struct {
	name string
	fields
}

// entries are the roles of Each, those of a map in the order of their names.
func (r *RoleLayout) entries(top fields) []namedFields {
	var entries []namedFields
	switch all := r.Each.at(top).(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if entry := asFields(all[name]); entry != nil {
				entries = append(entries, namedFields{name, entry})
			}
		}
	case []any:
		field := r.Name
		if field == "" {
			field = "name"
		}
		for _, item := range all {
			if entry := asFields(item); entry != nil {
				entries = append(entries, namedFields{entry.text(field), entry})
			}
		}
	}
	return entries
}

func (l *Layout) elastic(top fields, roles []role) *train.Elastic {
	least, hasLeast := countAt(l.Least, top)
	most, hasMost := countAt(l.Most, top)
	if !hasLeast && !hasMost {
		return nil
	}
	wanted := 0
	for i := range roles {
		wanted += roles[i].wanted
	}
	if !hasLeast {
		least = min(wanted, most)
	}
	if !hasMost {
		most = wanted
	}
	return &train.Elastic{Min: least, Max: max(least, most)}
}

func countAt(path Path, top fields) (int, bool) {
	in, field := path.holder(top)
	n, stated := in.number(field)
	return max(0, n), stated
}

// position reads a pod's role and number. The number at the end of a name
// counts where the role has so many ranks: a generated name may end in one.
func (l *Layout) position(pod *corev1.Pod, a *specAndStatus) rankPosition {
	at := rankPosition{role: labelOrAnnotation(pod, l.Pods.Role), index: -1}
	if index, stated := parseIndex(labelOrAnnotation(pod, l.Pods.Index)); stated {
		at.index = index
		return at
	}
	index, wanted := nameIndex(pod.Name), 0
	switch i := roleWanted(a, at.role); {
	case i >= 0:
		wanted = a.roles[i].wanted
	case at.role == "" && len(a.roles) > 0:
		wanted = a.roles[0].wanted
	}
	if index < wanted {
		at.index = index
	}
	return at
}

func labelOrAnnotation(pod *corev1.Pod, name string) string {
	if name == "" {
		return ""
	}
	if value := pod.Labels[name]; value != "" {
		return value
	}
	return pod.Annotations[name]
}

// jobOf returns the name of the job that a pod's labels name, "" where they
// name none.
func (l *Layout) jobOf(pod *corev1.Pod) string {
	job := ""
	for label, want := range l.Pods.Labels {
		value := pod.Labels[label]
		before, after, named := strings.Cut(want, NamePlaceholder)
		if !named {
			if value != want {
				return ""
			}
			continue
		}
		name, fits := strings.CutPrefix(value, before)
		name, ends := strings.CutSuffix(name, after)
		if !fits || !ends || name == "" || job != "" && job != name {
			return ""
		}
		job = name
	}
	return job
}

// layoutParent finds the job that a pod's labels name in the layout of a kind.
func layoutParent(pod *corev1.Pod) (ParentRef, bool) {
	for _, k := range Jobs() {
		if k.layout == nil || len(k.layout.Pods.Labels) == 0 {
			continue
		}
		if name := k.layout.jobOf(pod); name != "" {
			return ParentRef{train.Ref{Group: k.Group, Kind: k.Kind, Namespace: pod.Namespace, Name: name}}, true
		}
	}
	return ParentRef{}, false
}

// wrongLayoutCounts returns which number of pods of an object of the kind is
// none, "" where all are.
func (l *Layout) wrongLayoutCounts(top fields) string {
	for _, layout := range l.Roles {
		from := []namedFields{{fields: top}}
		if len(layout.Each) > 0 {
			from = layout.entries(top)
		}
		for _, entry := range from {
			if why := wrongCount(slices.Concat(layout.Each, layout.Replicas).String(), layout.Replicas.at(entry.fields)); why != "" {
				return why
			}
		}
	}
	return ""
}
