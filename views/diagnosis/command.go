package diagnosis

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train/kinds"
)

// command is a kubectl command, as far as a screen here can replace it.
type command struct {
	verb, namespace string
	// words are the other arguments that are not flags, with "kind/name" split
	// for get and describe.
	words    []string
	previous bool
	// fields and labels are the selectors.
	fields, labels string
}

// parse reads the arguments of a kubectl command; false for any other program,
// and for flags that no screen supports.
func parse(arguments []string) (c command, ok bool) {
	if len(arguments) < 3 || arguments[0] != "kubectl" {
		return c, false
	}
	rest := arguments[1:]
	for len(rest) > 0 {
		word := rest[0]
		rest = rest[1:]
		if flag, value, both := strings.Cut(word, "="); both && strings.HasPrefix(flag, "--") {
			word, rest = flag, append([]string{value}, rest...)
		}
		switch {
		case (word == "-n" || word == "--namespace") && len(rest) > 0:
			c.namespace, rest = rest[0], rest[1:]
		case word == "--field-selector" && len(rest) > 0:
			c.fields, rest = rest[0], rest[1:]
		case (word == "-l" || word == "--selector") && len(rest) > 0:
			c.labels, rest = rest[0], rest[1:]
		case word == "-A" || word == "--all-namespaces" || word == "--show-labels":
			// screens show that anyway
		case (word == "-o" || word == "--output" || word == "-c" || word == "--container" || word == "--tail") && len(rest) > 0:
			rest = rest[1:]
		case slices.Contains(diagnose.ReachFlags, word) && len(rest) > 0:
			rest = rest[1:] // it is the cluster on the screen
		case word == "-p" || word == "--previous":
			c.previous = true
		case strings.HasPrefix(word, "-"):
			return c, false
		case c.verb == "":
			c.verb = word
		case c.verb != "logs" && strings.Contains(word, "/"):
			kind, name, _ := strings.Cut(word, "/")
			c.words = append(c.words, kind, name)
		default:
			c.words = append(c.words, word)
		}
	}
	return c, c.verb != "" && len(c.words) > 0
}

// kindNamed is the kind that kubectl knows by a name: plural, singular or
// short, with or without its group.
func kindNamed(word string) (schema.GroupKind, bool) {
	word, group, _ := strings.Cut(strings.ToLower(word), ".")
	for _, k := range core {
		for _, name := range k.names {
			if name == word {
				return k.kind, true
			}
		}
	}
	for _, list := range [][]kinds.Kind{kinds.Jobs(), kinds.Related()} {
		for _, k := range list {
			if (k.Resource == word || strings.ToLower(k.Kind) == word) && (group == "" || group == k.Group) {
				return k.GroupKind, true
			}
		}
	}
	return schema.GroupKind{}, false
}

// core are the built-in kinds of Kubernetes that findings mention, by the names
// that kubectl accepts.
var core = []struct {
	kind  schema.GroupKind
	names []string
}{
	{schema.GroupKind{Kind: "Pod"}, []string{"pod", "pods", "po"}},
	{schema.GroupKind{Kind: "Node"}, []string{"node", "nodes", "no"}},
	{schema.GroupKind{Kind: "Event"}, []string{"event", "events", "ev"}},
	{schema.GroupKind{Kind: "Service"}, []string{"service", "services", "svc"}},
	{schema.GroupKind{Kind: "ServiceAccount"}, []string{"serviceaccount", "serviceaccounts", "sa"}},
	{schema.GroupKind{Kind: "ConfigMap"}, []string{"configmap", "configmaps", "cm"}},
	{schema.GroupKind{Kind: "PersistentVolumeClaim"}, []string{"persistentvolumeclaim", "persistentvolumeclaims", "pvc"}},
	{schema.GroupKind{Kind: "PersistentVolume"}, []string{"persistentvolume", "persistentvolumes", "pv"}},
	{schema.GroupKind{Kind: "ResourceQuota"}, []string{"resourcequota", "resourcequotas", "quota"}},
	{schema.GroupKind{Kind: "LimitRange"}, []string{"limitrange", "limitranges", "limits"}},
	{schema.GroupKind{Kind: "Namespace"}, []string{"namespace", "namespaces", "ns"}},
	{schema.GroupKind{Group: "storage.k8s.io", Kind: "StorageClass"}, []string{"storageclass", "storageclasses", "sc"}},
}
