package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// jobName is JOB of a command line: NAME, KIND/NAME, NAMESPACE/KIND/NAME, or
// NAMESPACE/NAME where the namespace is no kind of jobs.
// KIND is as in kubectl: a kind, its plural or its short name, in any case,
// followed by .GROUP or .VERSION.GROUP where several kinds share it.
type jobName struct {
	// typed is all of it.
	typed string
	// namespace and kind are "" where they are left out.
	namespace, kind, name string
}

func parseJobName(typed string) jobName {
	parts := strings.Split(typed, "/")
	switch len(parts) {
	case 1:
		return jobName{typed: typed, name: parts[0]}
	case 2:
		if isNamespace(parts[0]) {
			return jobName{typed: typed, namespace: parts[0], name: parts[1]}
		}
		return jobName{typed: typed, kind: parts[0], name: parts[1]}
	case 3:
		return jobName{typed: typed, namespace: parts[0], kind: parts[1], name: parts[2]}
	}
	return jobName{typed: typed}
}

// namespaceName matches what the API server accepts as a namespace.
var namespaceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// isNamespace reports whether a word before a name is a namespace: one that no
// kind of jobs is called.
func isNamespace(word string) bool {
	return namespaceName.MatchString(word) && !slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool { return isKind(word, k.Group, k.Kind) })
}

// means reports whether a job is the named one. A job of log files may have a path
// for a name, which has slashes of its own; its end is enough.
func (n jobName) means(job *train.Job) bool {
	if job.LogsOnly && (job.Ref.Name == n.typed || n.typed != "" && strings.HasSuffix(job.Ref.Name, "/"+n.typed)) {
		return true
	}
	return n.name != "" && job.Ref.Name == n.name &&
		(n.namespace == "" || job.Ref.Namespace == n.namespace) &&
		(n.kind == "" || isKind(n.kind, job.Ref.Group, job.Ref.Kind))
}

// kindNames are the kinds that may be meant, all (nil) where none is.
func (n jobName) kindNames() []string {
	var names []string
	for _, k := range kinds.Jobs() {
		if n.kind != "" && isKind(n.kind, k.Group, k.Kind) && !slices.Contains(names, k.Kind) {
			names = append(names, k.Kind)
		}
	}
	return names
}

var apiVersion = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// isKind reports whether typed is a spelling of a kind.
func isKind(typed, group, kind string) bool {
	word, rest, qualified := strings.Cut(strings.ToLower(typed), ".")
	if !slices.Contains(kindSpellings(group, kind), word) {
		return false
	}
	if version, behind, more := strings.Cut(rest, "."); more && apiVersion.MatchString(version) {
		rest = behind
	}
	return !qualified || rest == group
}

// kindSpellings are the names of a kind in small letters.
func kindSpellings(group, kind string) []string {
	spellings := []string{strings.ToLower(kind)}
	for _, k := range kinds.Jobs() {
		if k.Group == group && k.Kind == kind {
			spellings = append(append(spellings, k.Resource), shortNames[k.Resource+"."+group]...)
		}
	}
	return spellings
}

// shortNames are those of the resource definitions that have any: Volcano 1.12
// (batch.volcano.sh_jobs.yaml), LeaderWorkerSet 0.7
// (leaderworkerset.x-k8s.io_leaderworkersets.yaml).
var shortNames = map[string][]string{
	"jobs.batch.volcano.sh":                     {"vcjob", "vj"},
	"leaderworkersets.leaderworkerset.x-k8s.io": {"lws"},
}

// spelled are unique names of jobs for a command line: they contain the group
// where two jobs would have the same name.
func spelled(jobs []*train.Job) []string {
	count := map[string]int{}
	for _, job := range jobs {
		count[job.Ref.String()]++
	}
	names := make([]string, len(jobs))
	for i, job := range jobs {
		ref := job.Ref
		if count[ref.String()] > 1 && ref.Group != "" {
			ref.Kind += "." + ref.Group
		}
		names[i] = termtext.Line(ref.String())
	}
	return names
}

// readNamespacesOf makes a command read the namespaces in names of jobs. One
// alone is read as with -n; with several, or beside names without one, all are.
func (o *opening) readNamespacesOf(names []string) error {
	var namespaces []string
	for _, name := range names {
		if n := parseJobName(name); !slices.Contains(namespaces, n.namespace) {
			namespaces = append(namespaces, n.namespace)
		}
	}
	o.named = slices.DeleteFunc(slices.Clone(namespaces), func(name string) bool { return name == "" })
	if len(o.from) > 0 || o.all {
		return nil
	}
	given := *o.cluster.Namespace
	for _, namespace := range namespaces {
		if given != "" && namespace != "" && namespace != given {
			return &usageError{"traintop", fmt.Errorf("-n names the namespace %q and a job the namespace %q; leave -n out", given, namespace)}
		}
	}
	switch {
	case given != "" || len(namespaces) == 0:
	case len(namespaces) == 1:
		*o.cluster.Namespace = namespaces[0]
	default:
		o.all, o.severalNamespaces = true, true
	}
	return nil
}
