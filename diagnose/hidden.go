package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// HidingJobs returns what could not be read and may contain a job of a kind,
// "" for any, in a namespace, "" for all.
func HidingJobs(s *store.Snapshot, kind, namespace string) []Missing {
	return append(hidingWhat(s, namespace, func(h train.Health) bool { return mayHold(h, kind) }), notRecorded(s.Health(), kind)...)
}

// HidingGPUs returns what was not read and may contain GPUs: nodes offer them,
// pods hold them, and which are free is known only where all pods are. The part cut
// off a recording may contain any of them. A file that was read to its end without
// any is an answer; other files report it themselves.
func HidingGPUs(s *store.Snapshot, namespace string) []Missing {
	return hidingWhat(s, namespace, func(h train.Health) bool {
		return h.Source == "kube" || strings.HasPrefix(h.Source, "recording ") || strings.HasPrefix(h.Source, "kube/") && h.Group == "" && (h.Resource == "nodes" || h.Resource == "pods")
	})
}

// hidingWhat returns what was not read, of a namespace ("" for all), of the
// sources that holds accepts.
func hidingWhat(s *store.Snapshot, namespace string, holds func(train.Health) bool) []Missing {
	var hiding []Missing
	if m, is := notAsked(s.Health(), namespace); is {
		hiding = append(hiding, m)
	}
	for _, h := range s.Health() {
		refused := h.State == train.SourceForbidden
		u, unlisted := unlistedOf(h)
		switch {
		case !holds(h), namespace != "" && h.Namespace != "" && h.Namespace != namespace:
		case refused && namespace != "" && strings.Contains(readableIn(s, h), ","+namespace+","):
		case unlisted && u.kind == "":
			hiding = append(hiding, u.missing())
		case refused:
			hiding = append(hiding, Missing{What: listName(h), Why: rule.Plain(h.Text), Help: rightsHelp, decisive: true})
		default:
			if m, is := missingInput(h); is {
				m.What = listName(h)
				hiding = append(hiding, m)
			}
		}
	}
	return hiding
}

// notAsked reports that pods were listed one namespace at a time, as those of a
// recording that was made with -n, and that a namespace is not among them. ""
// represents those that were read.
func notAsked(health []train.Health, namespace string) (Missing, bool) {
	var asked []string
	for _, h := range health {
		if strings.HasPrefix(h.Source, "kube/") && h.Group == "" && h.Resource == "pods" {
			asked = append(asked, h.Namespace)
		}
	}
	if namespace == "" || len(asked) == 0 || slices.Contains(asked, "") || slices.Contains(asked, namespace) {
		return Missing{}, false
	}
	slices.Sort(asked)
	asked = slices.Compact(asked)
	for i := range asked {
		asked[i] = rule.Plain(asked[i])
	}
	return Missing{
		What:     "namespace " + rule.Plain(namespace),
		Why:      fmt.Sprintf("it was not asked for: what was read is of namespace %s alone", termtext.Few(asked, mostNamed)),
		Help:     "ask the cluster; traintop record without -n records all namespaces",
		decisive: true,
	}, true
}

// notRecorded returns the kinds of jobs, of one name or ("") all, that a recording of a
// cluster did not ask for: those that made it had not configured them, or had a version
// that did not know them.
func notRecorded(health []train.Health, kind string) []Missing {
	return notRecordedOf(health, kind, func(kinds.Kind) bool { return true })
}

// notRecordedOf are those of them that counts accepts.
func notRecordedOf(health []train.Health, kind string, counts func(kinds.Kind) bool) []Missing {
	planned := func(h train.Health) bool { return h.Source == "kube" && h.State == train.SourceLive }
	recording := func(h train.Health) bool { return strings.HasPrefix(h.Source, "recording ") }
	if !slices.ContainsFunc(health, recording) || !slices.ContainsFunc(health, planned) {
		return nil
	}
	var all []Missing
	for _, k := range kinds.Jobs() {
		list := train.Health{Source: "kube/" + k.Resource + "." + k.Group, Group: k.Group, Resource: k.Resource}
		asked := func(h train.Health) bool {
			return strings.HasPrefix(h.Source, "kube/") && h.Group == list.Group && h.Resource == list.Resource
		}
		if counts(k) && mayHold(list, kind) && !slices.ContainsFunc(health, asked) {
			all = append(all, Missing{
				What:     listName(list),
				Why:      "the recording was made without asking for " + listName(list),
				Help:     "ask the cluster, or record it again with this version and this configuration",
				decisive: true,
			})
		}
	}
	return all
}

// OwnNotRecorded returns the kinds of the configuration that a recording of a cluster did
// not ask for, which is missing beside the jobs of others.
func OwnNotRecorded(s *store.Snapshot) []Missing {
	return notRecordedOf(s.Health(), "", func(k kinds.Kind) bool { return !kinds.BuiltIn(k.GroupKind) })
}

// mayHold reports whether jobs of a kind can be in what a source reads. Pods
// show jobs of kinds that are not in the list.
func mayHold(h train.Health, kind string) bool {
	switch {
	case isFile(h), h.Source == "kube", h.Source == "kube/apis":
		return true
	case !strings.HasPrefix(h.Source, "kube/"):
		return false
	}
	ofKind := func(k kinds.Kind) bool { return strings.EqualFold(k.Kind, kind) }
	known := slices.ContainsFunc(kinds.Jobs(), ofKind)
	if h.Group == "" && h.Resource == "pods" {
		return !known
	}
	return slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool {
		return k.Resource == h.Resource && k.Group == h.Group && (!known || ofKind(k))
	})
}

// listName returns the user's name for what a source reads.
func listName(h train.Health) string {
	return rule.Plain(strings.TrimPrefix(h.Source, "kube/"))
}

// mostNamed is how many namespaces a text names.
const mostNamed = 8

// OtherNamespaces reports that lists of all namespaces were refused, and which
// namespaces were read instead.
func OtherNamespaces(health []train.Health) (Missing, bool) {
	refused := map[string]bool{}
	for _, h := range health {
		// Secrets are only looked up by the names that pods contain; no answer
		// lists them.
		if h.State == train.SourceForbidden && h.Namespace == "" && h.Resource != "secrets" && strings.HasSuffix(h.Source, "/all-namespaces") {
			refused[h.Resource+"."+h.Group] = true
		}
	}
	if len(refused) == 0 {
		return Missing{}, false
	}
	var read []string
	for _, h := range health {
		if h.State == train.SourceLive && h.Namespace != "" && refused[h.Resource+"."+h.Group] {
			read = append(read, rule.Plain(h.Namespace))
		}
	}
	slices.Sort(read)
	read = slices.Compact(read)
	m := Missing{What: "other namespaces", Help: rightsHelp + "; -n NAMESPACE reads another one that you may read"}
	m.Why = fmt.Sprintf("listing %s in all namespaces was refused, and what is in the others is not known; ", termtext.Count(len(refused), "resource"))
	if len(read) == 0 {
		m.Why += "no namespace was read instead"
	} else {
		m.Why += "read instead: " + termtext.Plural(len(read), "namespace") + " " + termtext.Few(read, mostNamed)
	}
	return m, true
}
