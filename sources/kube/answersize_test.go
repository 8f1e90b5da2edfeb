package kube

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// bombs answers with that many compressed blanks.
func bombs(size int64) misbehaviour {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/json")
		packed, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		blanks := bytes.Repeat([]byte(" "), 1<<20)
		for range size >> 20 {
			if _, err := packed.Write(blanks); err != nil {
				return
			}
		}
		packed.Close()
	}
}

// TestBombs: an answer that unpacks to more than its limit is reported, and
// the other resources are read.
func TestBombs(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		s.intercept(at("/apis", bombs(client.MostOfAnswer+2<<20)))
		_, p := run(t, s, nil)
		pass(time.Second)
		h := p.state("kube/apis")
		if h.State != train.SourceRetrying || !strings.Contains(h.Text, "larger than 64 MiB") {
			t.Errorf("discovery is %s, %q", h.State, h.Text)
		}
		wantState(t, p, "kube", train.SourceLive)
		wantState(t, p, "kube/pods", train.SourceLive)
	})
}

// TestListsAreBounded: a list of twice as many objects as Kubernetes supports.
func TestListsAreBounded(t *testing.T) {
	slim := func(runtime.Object) {}
	empty := bytes.Repeat([]byte{0x12, 0}, client.MostObjects+1) // field 2, of no byte
	list := append([]byte{0x12, byte(len(empty)&0x7f | 0x80), byte(len(empty)>>7&0x7f | 0x80), byte(len(empty) >> 14)}, empty...)
	read, err := readList(bytes.NewReader(append(bytes.Clone(protobufMagic), list...)), client.CoreResources[0], slim)
	if !errors.Is(err, errGoesOn) || len(read.Items) != client.MostObjects {
		t.Errorf("the list ended with %v after %d objects", err, len(read.Items))
	}
	_, err = readList(blanks{}, client.CoreResources[0], slim)
	if large := (*client.TooLargeError)(nil); !errors.As(err, &large) {
		t.Errorf("the text ended with %v", err)
	}
}

// TestTheObjectsOfAListThatGoesOnAreUsed: a list of more objects than are read of
// one; what came is there, with how much that is.
func TestTheObjectsOfAListThatGoesOnAreUsed(t *testing.T) {
	pages := newListPages(0)
	part := &metav1.List{Items: []runtime.RawExtension{{Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "ml"}}}}}
	_, err := pages.readPage(t.Context(), func(context.Context) (runtime.Object, error) { return part, errGoesOn })
	partial := (*client.PartialListError)(nil)
	if !errors.As(err, &partial) || len(partial.Objects) != 1 || !strings.Contains(err.Error(), "goes on after 200000 objects") || !strings.Contains(err.Error(), "the 1 objects that came are used") {
		t.Errorf("it says %v", err)
	}
}

type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte(" "), len(p)))
	return len(p), nil
}

// TestADamagedAnswerIsSaidToBe: a compressed answer whose checksum, or whose bytes, are
// wrong is damaged, and no list with something behind it.
func TestADamagedAnswerIsSaidToBe(t *testing.T) {
	packed := func(text []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, _ = z.Write(text)
		_ = z.Close()
		return out.Bytes()
	}
	for _, media := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		whole := packed(encoded(t, podList(3), media))
		for name, at := range map[string]int{"checksum": len(whole) - 8, "length": len(whole) - 4, "header": 0, "block": 10} {
			t.Run(media+" "+name, func(t *testing.T) {
				inBubble(t, func(t *testing.T, s *apiServer) {
					damaged := bytes.Clone(whole)
					damaged[at] |= 0x06 // of a block: a type that there is not (RFC 1951)
					if at != 10 {
						damaged[at] = ^whole[at]
					}
					s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
						if r.URL.Path != "/api/v1/pods" {
							return false
						}
						w.Header().Set("Content-Encoding", "gzip")
						w.Header().Set("Content-Type", media)
						_, _ = w.Write(damaged)
						return true
					})
					_, p := run(t, s, nil)
					pass(time.Second)
					if h := p.state("kube/pods"); h.State != train.SourceRetrying || !strings.Contains(h.Text, "the answer is damaged") || strings.Contains(h.Text, "behind") {
						t.Errorf("pods are %s, %q", h.State, h.Text)
					}
				})
			})
		}
	}
}
