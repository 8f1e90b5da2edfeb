package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// maxFavourites is how many namespaces have a digit of their own.
const maxFavourites = 9

// useFavourite switches to the namespace of a digit; 0 is all of them.
func (m *model) useFavourite(digit int) tea.Cmd {
	if digit == 0 {
		return m.setNamespace("")
	}
	if digit > len(m.favourites) {
		return m.say("no namespace has this digit yet", true)
	}
	return m.setNamespace(m.favourites[digit-1])
}

// favour gives a namespace a digit. Namespaces that have one keep it: people
// remember the keys.
func (m *model) favour(namespace string) {
	if namespace == "" || slices.Contains(m.favourites, namespace) {
		return
	}
	if len(m.favourites) == maxFavourites {
		m.favourites[maxFavourites-1] = namespace
		return
	}
	m.favourites = append(m.favourites, namespace)
}

// seeNamespaces gives unused digits to namespaces with training jobs.
func (m *model) seeNamespaces() {
	absent := func(namespace string) bool { return views.NoSuchNamespace(m.snapshot, namespace) }
	m.favourites = slices.DeleteFunc(m.favourites, absent)
	if !absent(m.namespace) {
		m.favour(m.namespace)
	}
	last := ""
	for _, j := range m.snapshot.Jobs() {
		if len(m.favourites) == maxFavourites {
			return
		}
		if j.Training && j.Ref.Namespace != last {
			last = j.Ref.Namespace
			m.favour(last)
		}
	}
}

func (m *model) askNamespaces() tea.Cmd {
	ctx, cluster := m.ctx, m.o.Cluster
	if cluster == nil {
		return nil
	}
	return func() tea.Msg {
		names, err := cluster.Namespaces(ctx)
		if err != nil && len(names) == 0 {
			// Those with jobs are known without the list; :sources names what
			// was refused.
			return nil
		}
		return namespacesListed{names, err == nil && len(names) > 0}
	}
}

// namespacesListed are the namespaces of the cluster, complete where none is
// missing.
type namespacesListed struct {
	names    []string
	complete bool
}

func (n namespacesListed) arrive(m *model) tea.Cmd {
	m.namespaces, m.namespacesListed = n.names, n.complete
	if m.top().Name() == "namespaces" {
		m.nav.show(views.NamespacesRoute{})
	}
	return nil
}
