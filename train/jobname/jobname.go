package jobname

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Name is a job as it is typed: NAME, KIND/NAME, NAMESPACE/KIND/NAME, or
// NAMESPACE/NAME where the namespace is no kind of jobs.
// KIND is as in kubectl: a kind, its plural or its short name, in any case,
// followed by .GROUP or .VERSION.GROUP where several kinds share it.
type Name struct {
	// Typed is all of it.
	Typed string
	// Namespace and Kind are "" where they are left out.
	Namespace, Kind, Name string
}

// Parse never fails: what is no name means no job. All behind the kind of log
// files is the path that such a job is named by.
func Parse(typed string) Name {
	if path, is := strings.CutPrefix(typed, train.LogKind+"/"); is {
		return Name{Typed: typed, Kind: train.LogKind, Name: path}
	}
	parts := strings.Split(typed, "/")
	switch len(parts) {
	case 1:
		return Name{Typed: typed, Name: parts[0]}
	case 2:
		if isNamespace(parts[0]) {
			return Name{Typed: typed, Namespace: parts[0], Name: parts[1]}
		}
		return Name{Typed: typed, Kind: parts[0], Name: parts[1]}
	case 3:
		return Name{Typed: typed, Namespace: parts[0], Kind: parts[1], Name: parts[2]}
	}
	return Name{Typed: typed}
}

// namespaceName matches what the API server accepts as a namespace.
var namespaceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// isNamespace reports whether a word before a name is a namespace: one that no
// kind of jobs is called.
func isNamespace(word string) bool {
	return namespaceName.MatchString(word) && !slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool { return isKind(word, k.Group, k.Kind) })
}

// Means reports whether a job is the named one. A job of log files may have a path
// for a name, which has slashes of its own; its end is enough.
func (n Name) Means(job *train.Job) bool {
	if job.LogsOnly && (endsAs(job.Ref.Name, n.Typed) || n.Kind == job.Ref.Kind && endsAs(job.Ref.Name, n.Name)) {
		return true
	}
	return n.Name != "" && job.Ref.Name == n.Name &&
		(n.Namespace == "" || job.Ref.Namespace == n.Namespace) &&
		(n.Kind == "" || isKind(n.Kind, job.Ref.Group, job.Ref.Kind))
}

// MeansAmong is Means where a kind without its group means the kind that goes by
// that name alone (train.Ref.KindName) before one that shares it: "job/x" is the
// Job of Volcano only where there is no Job x of batch beside it.
func (n Name) MeansAmong(all []*train.Job, job *train.Job) bool {
	if !n.Means(job) {
		return false
	}
	group, other := job.Ref.Namesake()
	if !other || n.Kind == "" || !isKind(n.Kind, group, job.Ref.Kind) {
		return true
	}
	namesake := job.Ref
	namesake.Group = group
	return !slices.ContainsFunc(all, func(j *train.Job) bool {
		namesake.UID = j.Ref.UID
		return j.Ref == namesake
	})
}

// endsAs reports whether a path is the typed one or ends with it, as it is or as
// answers print it.
func endsAs(path, typed string) bool {
	is := func(path string) bool { return path == typed || strings.HasSuffix(path, "/"+typed) }
	return typed != "" && (is(path) || is(termtext.Line(path)))
}

// KindNames are the kinds that may be meant, all (nil) where none is.
func (n Name) KindNames() []string {
	var names []string
	for _, k := range kinds.Jobs() {
		if n.Kind != "" && isKind(n.Kind, k.Group, k.Kind) && !slices.Contains(names, k.Kind) {
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
