package train

import "sync/atomic"

// kubernetesKinds are the groups of kinds that go by their name alone, though
// jobs of another group have the same: Job is that of Kubernetes itself, and
// kubectl too means batch/v1 by "job".
var kubernetesKinds = map[string]string{"Job": "batch"}

// kindGroups are kubernetesKinds and those of the configuration, nil before
// NameKinds.
var kindGroups atomic.Pointer[map[string]string]

// NameKinds sets which kinds are printed without their group although kinds of
// other groups share the name: the group of each, by the name of the kind. It
// takes the place of the call before; package kinds calls it at the start.
func NameKinds(groups map[string]string) { kindGroups.Store(&groups) }

// groupOfKind is the group whose kind goes by a name that several share, false
// where the name is no such one.
func groupOfKind(kind string) (group string, shared bool) {
	groups := kubernetesKinds
	if named := kindGroups.Load(); named != nil {
		groups = *named
	}
	group, shared = groups[kind]
	return group, shared
}

// KindName is the kind as it is printed and taken in names: with its group
// ("Job.batch.volcano.sh") where another kind goes by the name alone. It does
// not depend on which jobs there are. A reference whose group is unknown has
// the kind alone.
func (r Ref) KindName() string {
	if _, other := r.Namesake(); other {
		return r.Kind + "." + r.Group
	}
	return r.Kind
}

// Namesake is the group of the kind that goes by the name of this one alone,
// false where this one does or no other has the name.
func (r Ref) Namesake() (group string, other bool) {
	group, shared := groupOfKind(r.Kind)
	return group, shared && r.Group != "" && r.Group != group
}
