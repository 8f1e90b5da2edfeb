package ui

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// namespaceName is what the API server accepts (RFC 1123, a DNS label).
var namespaceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// validNamespace reports whether there can be a namespace of the name; "" is
// all of them.
func validNamespace(name string) bool { return name == "" || namespaceName.MatchString(name) }

// whyWrong is why a namespace that a person named cannot be used; "" where
// it can be, and where it is not known whether it exists.
func (n *knownNamespaces) whyWrong(name string) string {
	if name == "" {
		return ""
	}
	known := n.all()
	switch {
	case slices.Contains(known, name):
		return ""
	case !validNamespace(name):
		return draw.Clean(name) + " is no name of a namespace; :jobs all shows all namespaces, :ns lists them"
	case !n.isComplete() && !views.NoSuchNamespace(n.m.snapshot, name):
		return ""
	}
	text := "there is no namespace " + name
	if near := views.Near(name, known); len(near) > 0 {
		text += "; did you mean " + draw.Clean(strings.Join(near, ", "))
	} else if len(known) > 0 {
		text += "; there are " + draw.Clean(termtext.Few(known, 4))
	}
	return text + "; :ns lists those that there are"
}

// isComplete reports whether all misses none: the cluster
// listed all, or files were read, which are all that there is.
func (n *knownNamespaces) isComplete() bool {
	_, files := n.m.o.Cluster.(LogReader)
	return files || n.m.o.Cluster == nil || n.complete
}

// all are the namespaces listed by the cluster, and those in which
// anything was read.
func (n *knownNamespaces) all() []string {
	known := n.m.typing.knownNamespaces()
	for _, kind := range []schema.GroupKind{{Kind: "Namespace"}, kinds.PodKind} {
		n.m.snapshot.Objects(kind, "", func(o kinds.Object) bool {
			name := o.GetNamespace()
			if kind.Kind == "Namespace" {
				name = o.GetName()
			}
			known = append(known, name)
			return true
		})
	}
	n.m.snapshot.Events(func(e *corev1.Event) bool {
		known = append(known, e.Namespace)
		return true
	})
	slices.Sort(known)
	return slices.DeleteFunc(slices.Compact(known), func(name string) bool { return name == "" })
}
