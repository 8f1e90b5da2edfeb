package comparison

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// settingsOf returns the settings of a job by name: those of its object, or
// where that cannot be read those of the first pod of each role. nil when
// neither is known. Secrets are masked.
func settingsOf(s *store.Snapshot, job *train.Job) map[string]string {
	if job.LogsOnly {
		return nil
	}
	w := walker{job: job, all: map[string]string{}, live: isLive(s)}
	o, _ := s.Object(schema.GroupKind{Group: job.Ref.Group, Kind: job.Ref.Kind}, job.Ref.Namespace, job.Ref.Name)
	if tree, is := o.(*unstructured.Unstructured); is && tree.Object["spec"] != nil {
		w.walk(nil, masked(tree.Object["spec"]))
	} else if !w.walkPods(s) {
		return nil
	}
	w.put([]string{"kind"}, job.Ref.KindName())
	if q := job.Queue; q != nil {
		w.put([]string{"queue"}, cmp.Or(q.Name, q.ClusterQueue))
	}
	return w.all
}

// masked is a copy of a part of an object without secrets.
func masked(node any) any {
	redacted, _ := redact.New().Tree(node)
	return redacted
}

// walker collects the settings in an object of any kind.
type walker struct {
	job *train.Job
	all map[string]string
	// live is true for objects of a cluster, which keep the values of variables
	// only where they are about ranks.
	live bool
}

// Words for a variable without a value.
const (
	notKept = "(value not kept)"
	noValue = "(empty)"
)

// isLive reports whether objects come from a cluster, as the screen or a
// recording saw it.
func isLive(s *store.Snapshot) bool {
	return slices.ContainsFunc(s.Health(), func(h train.Health) bool {
		return h.Source == "kube" || strings.HasPrefix(h.Source, "kube/")
	})
}

// walkPods collects the settings of the first pod of each role, without what
// schedulers, admission plug-ins and operators add to every pod.
func (w *walker) walkPods(s *store.Snapshot) (any bool) {
	seen := map[string]bool{}
	for i := range w.job.Ranks {
		r := &w.job.Ranks[i]
		pod := s.Pod(r.Namespace, r.Pod)
		if pod == nil || seen[r.Role] {
			continue
		}
		seen[r.Role] = true
		spec := pod.Spec.DeepCopy()
		spec.NodeName, spec.Hostname, spec.Subdomain, spec.Tolerations = "", "", "", nil
		spec.Volumes = slices.DeleteFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Projected != nil })
		tree, err := runtime.DefaultUnstructuredConverter.ToUnstructured(spec)
		if err != nil {
			continue
		}
		any = true
		w.walk([]string{r.Role}, masked(tree))
	}
	return any
}

// mostDepth bounds the depth of a walk; real objects have fewer than thirty
// levels.
const mostDepth = 100

// walk collects the settings of a branch of an object.
func (w *walker) walk(path []string, node any) {
	if len(path) > mostDepth {
		return
	}
	switch node := node.(type) {
	case map[string]any:
		w.fields(path, node)
	case []any:
		for i, child := range node {
			name, unnamed := entryName(child)
			w.walk(under(path, cmp.Or(name, fmt.Sprint(i))), unnamed)
		}
	case nil:
	default:
		w.put(path, fmt.Sprint(node))
	}
}

// entryName is the name of an entry of a list, "" without one, and the entry
// without it.
func entryName(entry any) (name string, unnamed any) {
	fields, is := entry.(map[string]any)
	if !is {
		return "", entry
	}
	for _, key := range []string{"name", "key", "mountPath"} {
		if text, is := fields[key].(string); is && text != "" {
			rest := maps.Clone(fields)
			delete(rest, key)
			return text, rest
		}
	}
	return "", entry
}

func under(path []string, name string) []string { return append(slices.Clone(path), name) }

// fields collects those of a map; command lines and environments have names of
// their own.
func (w *walker) fields(path []string, fields map[string]any) {
	var line []string
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		child := fields[key]
		switch key {
		case "metadata", "status":
			continue // names, labels and what an operator notes
		case "env":
			if w.environment(path, child) {
				continue
			}
		case "command", "args", "entrypoint":
			continue
		}
		w.walk(under(path, key), child)
	}
	for _, key := range []string{"command", "entrypoint", "args"} { // the order in which they run
		line = append(line, texts(fields[key])...)
	}
	arguments(line).put(func(name, value string) {
		if redact.Secret(strings.TrimLeft(name, "-"), value) {
			value = redact.Masked
		}
		w.put(under(path, name), value)
	})
}

// texts are the texts of a list, or of one text.
func texts(node any) []string {
	switch node := node.(type) {
	case string:
		return []string{node}
	case []any:
		var all []string
		for _, child := range node {
			if text, is := child.(string); is {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

// environment collects variables from a list of names and values, or a map.
func (w *walker) environment(path []string, node any) (is bool) {
	put := func(name, value string) {
		if redact.Secret(name, value) {
			value = redact.Masked
		}
		if value == "" && w.live {
			value = notKept
		}
		w.put(under(path, "env "+name), cmp.Or(value, noValue))
	}
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			variable, _ := child.(map[string]any)
			name, _ := variable["name"].(string)
			value, literal := variable["value"].(string)
			switch from := variable["valueFrom"]; {
			case name == "":
			case from != nil && !literal:
				w.walk(under(path, "env "+name), from)
			default:
				put(name, value)
			}
		}
		return true
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(node)) {
			put(name, fmt.Sprint(node[name]))
		}
		return true
	}
	return false
}

// unnamed are parts of paths that mean nothing to a person: where specs nest.
var unnamed = words("spec template containers replicaSpecs pytorchReplicaSpecs tfReplicaSpecs mpiReplicaSpecs xgbReplicaSpecs paddleReplicaSpecs jaxReplicaSpecs replicatedJobs tasks workerGroupSpecs rayClusterSpec jobTemplate")

// put sets a setting under its short name, or its full one where another has
// that.
func (w *walker) put(path []string, value string) {
	if value == "" {
		return
	}
	var short []string
	for _, part := range path {
		if part != "" && !unnamed[part] && !w.trainer(part) {
			short = append(short, part)
		}
	}
	name := nameOf(short)
	if _, taken := w.all[name]; taken {
		name = nameOf(path)
	}
	w.all[name] = value
}

// trainer reports whether a name is that of a training container: there is one
// in each rank, so that its name means nothing.
func (w *walker) trainer(name string) bool {
	return slices.ContainsFunc(w.job.Ranks, func(r train.Rank) bool { return r.Container == name })
}

// nameOf joins a path: "Worker resources.limits.cpu", "Worker --lr".
func nameOf(path []string) string {
	var b strings.Builder
	for i, part := range path {
		switch {
		case i == 0:
		case strings.HasPrefix(part, "-") || strings.HasPrefix(part, "env ") || part == programSetting || path[i-1] != strings.ToLower(path[i-1][:1])+path[i-1][1:]:
			b.WriteByte(' ')
		default:
			b.WriteByte('.')
		}
		b.WriteString(part)
	}
	return b.String()
}
