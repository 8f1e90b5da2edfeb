package apitable

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
)

// Resource is one resource that an API server serves, in one version.
type Resource struct {
	Group, Version string
	// Plural is the name in URLs, Singular and ShortNames are others that a person may
	// type.
	Plural, Singular string
	ShortNames       []string
	Kind             string
	Namespaced       bool
	Verbs            []string
	// Scalable is true where it has the subresource scale.
	Scalable bool
	// PathOnly is true where only its subresources have verbs: nobody reads the
	// resource itself.
	PathOnly bool
	// Preferred is true in the version that the server prefers.
	Preferred bool
}

// Can reports whether the server serves a verb of the resource.
func (r Resource) Can(verb string) bool { return slices.Contains(r.Verbs, verb) }

// FullName is the plural with its group: "deployments.apps", "pods".
func (r Resource) FullName() string {
	if r.Group == "" {
		return r.Plural
	}
	return r.Plural + "." + r.Group
}

// In is the table of the resource in a namespace, "" for all.
func (r Resource) In(namespace string) Listing {
	if !r.Namespaced {
		namespace = ""
	}
	return Listing{
		Group: r.Group, Version: r.Version, Plural: r.Plural, Kind: r.Kind,
		Namespaced: r.Namespaced, Scalable: r.Scalable, Namespace: namespace,
	}
}

// Listing is what one table holds: a resource in one namespace or in all.
type Listing struct {
	Group, Version, Plural, Kind string
	Namespaced, Scalable         bool
	// Namespace is "" for all, and for resources without namespaces.
	Namespace string
}

// Is reports whether the table is of a group and a kind.
func (s Listing) Is(group, kind string) bool { return s.Group == group && s.Kind == kind }

// FullName is the plural with its group.
func (s Listing) FullName() string { return Resource{Group: s.Group, Plural: s.Plural}.FullName() }

// Ref is the object of a row.
func (s Listing) Ref(r *Row) train.Ref {
	return train.Ref{Group: s.Group, Kind: s.Kind, Namespace: r.Namespace, Name: r.Name, UID: r.UID}
}

// calls reports whether a name without group and version is one of the resource.
func (r Resource) calls(name string) bool {
	return name == r.Plural || name == r.Singular || name == strings.ToLower(r.Kind) || slices.Contains(r.ShortNames, name)
}

// qualified reports whether the words after the name's first dot choose the resource:
// its group, its version, or its version and group, as kubectl writes them. A word that
// begins its group is enough: "deploy.app" would be ambiguous, "podgroups.scheduling" is
// not.
func (r Resource) qualified(by string) bool {
	return by == r.Group || by == r.Version || by == r.Version+"."+r.Group || r.Group == "" && by == "core" ||
		strings.HasPrefix(r.Group, by+".")
}
