package jsontext

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"testing"
)

type answer struct {
	Findings []part `json:"findings"`
	Verdict  string `json:"verdict"`
	Checks   []part `json:"checks"`
	Problems []part `json:"problems,omitempty"`
}

type part struct {
	Name  string   `json:"name"`
	Text  string   `json:"text"`
	Hides []string `json:"hides"`
}

func parts(n int) iter.Seq[part] {
	return func(yield func(part) bool) {
		for i := range n {
			p := part{Name: fmt.Sprintf("a%d", i), Text: "password=hunter2hunter2 \"checks\": [] \u202e", Hides: []string{}}
			if i%2 == 1 {
				p.Hides = append(p.Hides, "b", "c")
			}
			if !yield(p) {
				return
			}
		}
	}
}

// Lists that are written element by element give the text of the whole answer.
func TestListsAreWrittenAsTheyWereWhole(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3000} {
		whole := answer{Findings: []part{}, Verdict: "none", Checks: []part{}, Problems: []part{{Name: "p"}}}
		var got bytes.Buffer
		if err := PrintLists(&got, whole, ListOf("findings", parts(n)), ListOf("checks", parts(2*n))); err != nil {
			t.Fatal(err)
		}
		for p := range parts(n) {
			whole.Findings = append(whole.Findings, p)
		}
		for p := range parts(2 * n) {
			whole.Checks = append(whole.Checks, p)
		}
		want, err := Text(whole)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) || strings.Contains(got.String(), "hunter2") {
			t.Errorf("%d elements: it printed\n%.400s\nwant\n%.400s", n, got.String(), want)
		}
	}
	if err := PrintLists(&bytes.Buffer{}, answer{}, ListOf("findings", parts(1))); err == nil {
		t.Error("an answer without an empty list is no error")
	}
}

// largest remembers the longest text that was written at a time.
type largest struct{ all, most int }

func (l *largest) Write(p []byte) (int, error) {
	l.all += len(p)
	l.most = max(l.most, len(p))
	return len(p), nil
}

func TestALongListIsNeverInMemory(t *testing.T) {
	var w largest
	if err := PrintLists(&w, answer{Findings: []part{}, Checks: []part{}}, ListOf("findings", parts(100_000))); err != nil {
		t.Fatal(err)
	}
	if w.all < 10<<20 || w.most > 1<<20 {
		t.Errorf("%d bytes, at most %d of them at a time", w.all, w.most)
	}
}
