package recording

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// family is everything that belonged to one job at any time of a recording.
type family struct {
	id        train.JobID
	namespace string
	name      string // "namespace/Kind/name", "" until the job was found
	objects   map[member]bool
	nodes     map[string]bool
	// hosts are the names that GPU readings may use for these nodes: the node
	// names and the names of the pods on them.
	hosts map[string]bool
	logs  map[train.StreamID]bool
	// owners are the owners of all objects except jobs, pods and the other
	// holding kinds.
	owners map[member][]member

	seen *train.Job // the job in the newest snapshot
}

// member identifies an object by kind and name.
type member struct {
	kind            schema.GroupKind
	namespace, name string
}

func newFamily(id train.JobID) *family {
	return &family{id: id, objects: map[member]bool{}, nodes: map[string]bool{}, hosts: map[string]bool{}, logs: map[train.StreamID]bool{}, owners: map[member][]member{}}
}

// familyLimits keep little of each log, since only its owner matters here.
var familyLimits = store.Limits{LogBytes: 4 << 10, AllLogBytes: 4 << 20, Values: 16, AllValues: 100_000}

// findFamily collects the members of the job in a time range of the recording.
func (f *File) findFamily(ctx context.Context, own *family, s *timeRange) error {
	watching := &familyWatch{Store: store.New(f.To), family: own}
	watching.SetLimits(familyLimits)
	if err := f.Load(ctx, watching, instant(s.from), 0); err != nil {
		return err
	}
	watching.Snapshot()
	t := &replayer{ctx: ctx, sink: watching, play: &f.play}
	for ctx.Err() == nil {
		from, next := f.play.nextOf(s)
		if next == nil {
			break
		}
		from.take()
		t.take(next)
	}
	t.end(s.until)
	own.seen = nil
	watching.Snapshot()
	return ctx.Err()
}

// familyWatch is a store that updates a family with each snapshot it takes.
type familyWatch struct {
	*store.Store
	family *family
}

// Apply implements sources.Sink.
func (w *familyWatch) Apply(events ...store.Event) {
	w.Store.Apply(events...)
	for _, event := range events {
		switch e := event.(type) {
		case store.Set:
			w.family.noteOwners(e.Kind, e.Object)
		case store.Listed:
			for _, o := range e.Objects {
				w.family.noteOwners(e.Kind, o)
			}
		}
	}
}

// Snapshot takes a snapshot and adds the job's members in it.
func (w *familyWatch) Snapshot() *store.Snapshot {
	s := w.Store.Snapshot()
	w.family.look(s)
	return s
}

// look adds the job's members in a snapshot. An unchanged job has unchanged
// members, so look skips it.
func (f *family) look(s *store.Snapshot) {
	job := s.Job(f.id)
	if job == nil || job == f.seen {
		return
	}
	f.seen, f.namespace, f.name = job, job.Ref.Namespace, job.Ref.String()
	s.Members(job, func(kind schema.GroupKind, namespace, name string) {
		f.objects[member{kind, namespace, name}] = true
		if pod := s.Pod(namespace, name); kind == kinds.PodKind && pod != nil {
			f.addNode(s, pod.Spec.NodeName)
		}
	})
	for i := range job.Ranks {
		for _, attempt := range job.Ranks[i].Attempts {
			f.objects[member{kinds.PodKind, job.Ref.Namespace, attempt.Pod}] = true
			f.addNode(s, attempt.Node)
		}
		for _, log := range s.RankLogs(job, i) {
			f.logs[log.ID] = true
		}
	}
}

func (f *family) addNode(s *store.Snapshot, name string) {
	if name == "" {
		return
	}
	f.nodes[name], f.hosts[name] = true, true
	s.PodsOn(name, func(pod *corev1.Pod) bool {
		f.hosts[pod.Name] = true
		return true
	})
}

// noteOwners records the owners of an object, for events about it that arrive
// earlier.
func (f *family) noteOwners(kind schema.GroupKind, o kinds.Object) {
	if owners := ownersOf(o); len(owners) > 0 && !holds(kind) {
		f.owners[member{kind, o.GetNamespace(), o.GetName()}] = owners
	}
}

func ownersOf(o kinds.Object) (owners []member) {
	for _, owner := range o.GetOwnerReferences() {
		kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind()
		owners = append(owners, member{kind, o.GetNamespace(), owner.Name})
	}
	return owners
}

// isOthers reports whether all these owners are outside the family.
func (f *family) isOthers(owners []member) bool {
	return len(owners) > 0 && !slices.ContainsFunc(owners, func(owner member) bool { return f.objects[owner] })
}

// hasPod reports whether a pod belongs to the job.
func (f *family) hasPod(namespace, name string) bool {
	return f.objects[member{kinds.PodKind, namespace, name}]
}

// hasLog reports whether a log belongs to the job.
func (f *family) hasLog(id train.StreamID) bool {
	return f.logs[id] || id.Pod != "" && f.hasPod(id.Namespace, id.Pod)
}

// hasGPU reports whether a GPU is in a node of the job, or held by one of its
// pods.
func (f *family) hasGPU(node string, g *train.GPU) bool {
	return f.nodes[node] || f.nodes[g.Node] || f.hosts[g.Host] || g.Pod != "" && f.hasPod(g.Namespace, g.Pod)
}

// marked reports whether a mark is about the job, one of its nodes, a source or
// the recording itself.
func (f *family) marked(m *Mark) bool {
	if m.Job != "" {
		return m.Job == f.id
	}
	if m.Kind != MarkNode {
		return true
	}
	node, _, _ := strings.Cut(strings.TrimPrefix(m.Text, "node "), ":")
	return f.nodes[node]
}
