package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// knownNamespaces are the namespaces that the cluster listed, and those that have a
// digit of their own.
type knownNamespaces struct {
	m      *model
	listed []string
	// complete is true where listed has all of the cluster.
	complete   bool
	favourites []string
}

// maxFavourites is how many namespaces have a digit of their own.
const maxFavourites = 9

// useFavourite switches to the namespace of a digit; 0 is all of them.
func (n *knownNamespaces) useFavourite(digit int) tea.Cmd {
	if digit == 0 {
		return n.m.setNamespace("")
	}
	if digit > len(n.favourites) {
		return n.m.say("no namespace has this digit yet", true)
	}
	return n.m.setNamespace(n.favourites[digit-1])
}

// favour gives a namespace a digit. Namespaces that have one keep it: people
// remember the keys.
func (n *knownNamespaces) favour(namespace string) {
	if namespace == "" || slices.Contains(n.favourites, namespace) {
		return
	}
	if len(n.favourites) == maxFavourites {
		n.favourites[maxFavourites-1] = namespace
		return
	}
	n.favourites = append(n.favourites, namespace)
}

// assignDigits gives unused digits to namespaces with training jobs.
func (n *knownNamespaces) assignDigits() {
	absent := func(namespace string) bool { return views.NoSuchNamespace(n.m.snapshot, namespace) }
	n.favourites = slices.DeleteFunc(n.favourites, absent)
	if !absent(n.m.namespace) {
		n.favour(n.m.namespace)
	}
	last := ""
	for _, j := range n.m.snapshot.Jobs() {
		if len(n.favourites) == maxFavourites {
			return
		}
		if j.Training && j.Ref.Namespace != last {
			last = j.Ref.Namespace
			n.favour(last)
		}
	}
}

func (n *knownNamespaces) ask() tea.Cmd {
	ctx, cluster := n.m.ctx, n.m.o.Cluster
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
	m.namespaces.listed, m.namespaces.complete = n.names, n.complete
	if m.top().Name() == "namespaces" {
		m.nav.show(views.NamespacesRoute{})
	}
	return nil
}
