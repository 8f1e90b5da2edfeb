package dump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// endlessList is an endless list of pods.
type endlessList struct{ pods int }

func (e *endlessList) Read(into []byte) (int, error) {
	if e.pods > 1_000_000 {
		return 0, errors.New("read on and on")
	}
	text := `{"apiVersion":"v1","kind":"List","items":[`
	if e.pods > 0 {
		text = fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","namespace":"ml"}},`+"\n", e.pods)
	}
	e.pods++
	return copy(into, text), nil
}

// Of an endless list the allowed number of objects is kept, and the rest is a
// problem.
func TestTooManyObjects(t *testing.T) {
	var endless io.Reader = &endlessList{}
	files := New([]string{"-"}, Options{Stdin: endless})
	files.most = 500
	h := newHeard()
	if err := files.Run(context.Background(), h); err != nil {
		t.Fatal(err)
	}
	if len(h.objects) != 500 {
		t.Errorf("%d objects are kept", len(h.objects))
	}
	if health := h.health["file -"]; health.State != train.SourceFailed || !strings.Contains(health.Text, "only the first 500 objects") {
		t.Errorf("health is %+v", health)
	}
}
