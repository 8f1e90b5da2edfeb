package kube

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

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
	_, err := readList(bytes.NewReader(append(bytes.Clone(protobufMagic), list...)), client.CoreResources[0], slim)
	if large := (*client.TooLargeError)(nil); !errors.As(err, &large) {
		t.Errorf("the list ended with %v", err)
	}
	_, err = readList(blanks{}, client.CoreResources[0], slim)
	if large := (*client.TooLargeError)(nil); !errors.As(err, &large) {
		t.Errorf("the text ended with %v", err)
	}
}

type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte(" "), len(p)))
	return len(p), nil
}
