package recording

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

func treeOf(metadata any) kinds.Object {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": metadata}}
}

// oddOnes returns objects that a reader of recordings refuses.
func oddOnes() []kinds.Object {
	return []kinds.Object{
		treeOf("x"), treeOf(nil), treeOf(map[string]any{"namespace": "ml"}),
		treeOf(map[string]any{"name": "a", "creationTimestamp": int64(5)}), treeOf(map[string]any{"name": "a", "labels": []any{"x"}}),
		&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml"}},
	}
}

// The writer leaves out such objects, and writes the rest of their list.
func TestOddObjectsAreNotWritten(t *testing.T) {
	good := treeOf(map[string]any{"name": "good", "namespace": "ml"})
	for i, odd := range oddOnes() {
		e := newEncoder()
		if is, err := e.event(store.Set{Kind: jobKind, Object: odd}); is != 0 || err == nil {
			t.Errorf("%d: it is written as %d, %v", i, is, err)
		}
		e.reset()
		is, err := e.event(store.Listed{Kind: jobKind, Objects: []kinds.Object{odd, good}})
		if err == nil {
			t.Errorf("%d: nobody hears of it", i)
		}
		d := &decoder{in: e.out}
		if l, read := d.event(is).(store.Listed); !read || len(l.Objects) != 1 || d.odd != 0 {
			t.Errorf("%d: %v comes back, %v", i, l, d.err)
		}
	}
}

// A reader skips such objects, which earlier recordings may contain.
func TestOddObjectsInARecordingAreLeftOut(t *testing.T) {
	good := treeOf(map[string]any{"name": "good", "namespace": "ml"})
	bytes, err := formOf(good)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{`{"metadata":"x"}`, `{}`, `[]`, `{"metadata":{"name":"a","creationTimestamp":5}}`} {
		e := newEncoder()
		e.groupKind(jobKind)
		e.word("ml")
		e.byte(1)
		e.object(treeOf(nil), form{treeType, []byte(text)})
		e.byte(1)
		e.object(good, bytes)
		e.byte(0)
		d := &decoder{in: e.out}
		if l, read := d.event(recordListed).(store.Listed); !read || len(l.Objects) != 1 || d.odd != 1 {
			t.Errorf("%d: %v comes back, %v, %d left out", i, l, d.err, d.odd)
		}
	}
}
