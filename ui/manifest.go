package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/sources/yamltext"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/manifest"
)

// askManifest reads an object's YAML, from the cluster where there is one.
func (m *model) askManifest(ref train.Ref, managedFields bool) tea.Cmd {
	ctx, cluster, snapshot := m.ctx, m.o.Cluster, m.snapshot
	if m.travel.replays() { // as it was at the shown instant
		cluster = nil
	}
	return m.host.OffLoop(func() tea.Msg {
		if cluster == nil {
			text, err := manifestIn(snapshot, ref)
			return manifestRead{ref, text, managedFields, err}
		}
		if _, can := cluster.(FullManifester); managedFields && !can {
			return m.host.Notice("managed fields are not kept here", true)
		}
		text, err := m.manifestReader(ref, managedFields)(ctx)
		if err != nil {
			// The snapshot's object is better than nothing, where it has one.
			if known, missing := manifestIn(snapshot, ref); missing == nil {
				text = fmt.Sprintf("# as last seen: %v\n%s", err, known)
				err = nil
			}
		}
		return manifestRead{ref, text, managedFields, err}
	})
}

// manifestReader reads an object's YAML from the cluster.
func (m *model) manifestReader(ref train.Ref, managedFields bool) func(context.Context) (string, error) {
	cluster := m.o.Cluster
	return func(ctx context.Context) (string, error) {
		if full, can := cluster.(FullManifester); managedFields && can {
			return full.FullManifest(ctx, ref)
		}
		return cluster.Manifest(ctx, ref)
	}
}

// manifestRead is the result of askManifest.
type manifestRead struct {
	ref           train.Ref
	text          string
	managedFields bool
	err           error
}

func (r manifestRead) arrive(m *model) tea.Cmd {
	if r.err != nil {
		return m.say(r.err.Error(), true)
	}
	v := manifest.YAML(r.ref, r.text, r.managedFields)
	if shown, is := m.top().(*manifest.View); is && shown.Ref() == r.ref {
		m.stack[len(m.stack)-1] = v // the same with or without managed fields
		return nil
	}
	m.nav.push(v)
	return nil
}

// manifestIn writes an object of the snapshot as YAML, secrets masked.
func manifestIn(s *store.Snapshot, ref train.Ref) (string, error) {
	o, presence := s.Object(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	switch presence {
	case train.Absent:
		return "", fmt.Errorf("read %s: it is not there (any more)", ref)
	case train.Unknown:
		return "", fmt.Errorf("read %s: nothing that was read holds it", ref)
	}
	fields, err := fieldsOf(o, ref)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", ref, err)
	}
	text, err := yamltext.Marshal(fields)
	if err != nil {
		return "", fmt.Errorf("write %s as YAML: %w", ref, err)
	}
	return string(text), nil
}

func fieldsOf(o kinds.Object, ref train.Ref) (map[string]any, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, err
	}
	fields = runtime.DeepCopyJSON(fields)
	if fields["kind"] == nil {
		fields["kind"] = ref.Kind
	}
	if metadata, is := fields["metadata"].(map[string]any); is {
		delete(metadata, "managedFields")
		if annotations, is := metadata["annotations"].(map[string]any); is {
			delete(annotations, "kubectl.kubernetes.io/last-applied-configuration")
		}
	}
	redact.Object(fields)
	return fields, nil
}
