package mergedlogs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// held keeps what a store would keep of the lines of logs.
type held map[train.StreamID][]train.LogLine

func (h held) Apply(events ...store.Event) {
	for _, event := range events {
		switch e := event.(type) {
		case store.Logged:
			h[e.Stream] = append(h[e.Stream], e.Lines...)
		case store.StreamChanged:
			if e.Restart || e.Status.State == "" {
				delete(h, e.Stream)
			}
		}
	}
}

func (h held) texts(id train.StreamID) string {
	var texts []string
	for _, line := range h[id] {
		texts = append(texts, fmt.Sprintf("%d %s", line.Number, line.Text))
	}
	return strings.Join(texts, ", ")
}

func TestASieveHoldsOnlySelectedLines(t *testing.T) {
	a, b := train.StreamID{File: "a"}, train.StreamID{File: "b"}
	lines := func(from int64, texts ...string) (all []train.LogLine) {
		for i, text := range texts {
			all = append(all, train.LogLine{Number: from + int64(i), Text: text})
		}
		return all
	}
	for _, test := range []struct {
		grep, exclude string
		around        int
		want          string
	}{
		{"boom", "", 0, "3 boom, 6 last boom"},
		{"boom", "", 1, "2 two, 3 boom, 4 four, 5 five, 6 last boom"},
		{"", "o", 0, "1 first, 4 4, 5 five"},
		{"b", "last", 0, "3 boom"},
	} {
		filter, err := NewLineFilter(strings.Fields(test.grep), strings.Fields(test.exclude), test.around, false)
		if err != nil {
			t.Fatal(err)
		}
		h := held{}
		s := NewSieve(h, &filter)
		s.Apply(store.Logged{Stream: a, Lines: lines(1, "boom of a file before")})
		s.Apply(store.StreamChanged{Stream: a, Restart: true, Status: train.StreamStatus{State: train.StreamOpening}})
		four := "four"
		if test.exclude == "o" {
			four = "4"
		}
		s.Apply(store.Logged{Stream: a, Lines: lines(1, "first", "two", "bo"), Open: true})
		s.Apply(store.Logged{Stream: b, Lines: lines(1, "boom")}, store.StreamChanged{Stream: b})
		s.Apply(store.Logged{Stream: a, Lines: lines(3, "boom", four, "five")}, store.Logged{Stream: a, Lines: lines(6, "last boom")})
		s.End()
		if got := h.texts(a); got != test.want {
			t.Errorf("--grep %q --exclude %q -C %d holds %q, want %q", test.grep, test.exclude, test.around, got, test.want)
		}
		if got := h.texts(b); got != "" {
			t.Errorf("of a log that was removed %q is held", got)
		}
	}
}
