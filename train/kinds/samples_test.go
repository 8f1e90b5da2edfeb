package kinds

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	yamlstream "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/train"
)

// cluster holds the objects of one file and builds families from them, as
// the store does in production.
type cluster struct {
	objects map[schema.GroupKind][]Object
}

func readCluster(t testing.TB, path string) *cluster {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := parseCluster(data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}

func parseCluster(data []byte) (*cluster, error) {
	c := &cluster{objects: map[schema.GroupKind][]Object{}}
	documents := yamlstream.NewDocumentDecoder(io.NopCloser(bytes.NewReader(data)))
	for {
		chunk := make([]byte, len(data)+1)
		n, err := documents.Read(chunk)
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		var document map[string]any
		if err := yaml.Unmarshal(chunk[:n], &document); err != nil {
			return nil, err
		}
		if document == nil {
			continue
		}
		items := []any{document}
		if list, isList := document["items"].([]any); isList {
			items = list
		}
		for _, item := range items {
			if o, ok := item.(map[string]any); ok {
				if err := c.add(o); err != nil {
					return nil, err
				}
			}
		}
	}
}

// add keeps pods, nodes and events typed, all others as they came. Numbers
// become what the API machinery decodes.
func (c *cluster) add(object map[string]any) error {
	raw, err := yaml.Marshal(object)
	if err != nil {
		return err
	}
	json, err := yaml.YAMLToJSON(raw)
	if err != nil {
		return err
	}
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(json); err != nil {
		return err
	}
	kind := u.GroupVersionKind().GroupKind()
	var o Object = u
	switch kind {
	case PodKind:
		o = &corev1.Pod{}
	case NodeKind:
		o = &corev1.Node{}
	case EventKind:
		o = &corev1.Event{}
	}
	if o != Object(u) {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, o); err != nil {
			return err
		}
	}
	c.objects[kind] = append(c.objects[kind], o)
	return nil
}

func (c *cluster) find(kind schema.GroupKind, namespace, name string) (Object, train.Presence) {
	for _, o := range c.objects[kind] {
		if o.GetNamespace() == namespace && o.GetName() == name {
			return o, train.Present
		}
	}
	return nil, train.Unknown
}

// jobs assembles every row of the cluster.
func (c *cluster) jobs() []*train.Job {
	families := map[train.JobID]*Family{}
	order := []train.JobID{}
	family := func(ref train.Ref) *Family {
		id := ref.JobID()
		if families[id] == nil {
			families[id] = &Family{Ref: ref, Find: c.findUnstructured, NodeReady: c.nodeReady, EventsAbout: c.eventsAbout}
			order = append(order, id)
		}
		return families[id]
	}
	for kind, objects := range c.objects {
		for _, o := range objects {
			ref, ok := Top(kind, o, c.find)
			if !ok {
				continue
			}
			f := family(ref)
			switch o := o.(type) {
			case *corev1.Pod:
				f.Pods = append(f.Pods, o)
			case *corev1.Event:
				if o.InvolvedObject.Kind != "Pod" {
					f.Events = append(f.Events, o)
				}
			case *unstructured.Unstructured:
				if RefOf(kind, o).JobID() == ref.JobID() {
					f.Top = o
				} else {
					f.Below = append(f.Below, o)
				}
			}
		}
	}
	jobs := []*train.Job{}
	for _, id := range order {
		f := families[id]
		slices.SortFunc(f.Pods, func(x, y *corev1.Pod) int { return strings.Compare(x.Name, y.Name) })
		slices.SortStableFunc(f.Events, func(x, y *corev1.Event) int { return EventTime(x).Compare(EventTime(y)) })
		if f.Top == nil && len(f.Pods) == 0 && len(f.Events) == 0 {
			continue // a Workload or PodGroup without its job
		}
		jobs = append(jobs, Assemble(f))
	}
	slices.SortFunc(jobs, func(x, y *train.Job) int { return strings.Compare(x.Ref.String(), y.Ref.String()) })
	return jobs
}

func (c *cluster) findUnstructured(kind schema.GroupKind, namespace, name string) (*unstructured.Unstructured, train.Presence) {
	o, presence := c.find(kind, namespace, name)
	u, _ := o.(*unstructured.Unstructured)
	return u, presence
}

func (c *cluster) eventsAbout(pod *corev1.Pod) []*corev1.Event {
	var events []*corev1.Event
	for _, o := range c.objects[EventKind] {
		e := o.(*corev1.Event)
		about := e.InvolvedObject
		if about.Kind == PodKind.Kind && about.Namespace == pod.Namespace && about.Name == pod.Name && (pod.UID == "" || about.UID == pod.UID) {
			events = append(events, e)
		}
	}
	return events
}

func (c *cluster) nodeReady(name string) (bool, train.Presence) {
	if len(c.objects[NodeKind]) == 0 {
		return false, train.Unknown
	}
	o, presence := c.find(NodeKind, "", name)
	node, isNode := o.(*corev1.Node)
	if !isNode {
		return false, train.Absent
	}
	return Node(node, nil).Ready, presence
}

func replace(text, old, new string) string { return strings.ReplaceAll(text, old, new) }
