package tables

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
)

var pods = apitable.Listing{Version: "v1", Plural: "pods", Kind: "Pod", Namespaced: true}

// following follows a listing in the background; next waits for a table that fits.
type following struct {
	t      *testing.T
	tables chan *apitable.Table
}

func follow(t *testing.T, s *server, listing apitable.Listing, fallback string) *following {
	t.Helper()
	f := &following{t: t, tables: make(chan *apitable.Table, 100)}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	c := connect(t, s)
	go func() {
		defer close(done)
		Follow(ctx, c, listing, fallback, func(table *apitable.Table) { f.tables <- table })
	}()
	t.Cleanup(func() { stop(); <-done })
	return f
}

func (f *following) next(what string, fits func(*apitable.Table) bool) *apitable.Table {
	f.t.Helper()
	late := time.After(10 * time.Second)
	var last *apitable.Table
	for {
		select {
		case table := <-f.tables:
			if last = table; fits(table) {
				return table
			}
		case <-late:
			f.t.Fatalf("no table %s came; the last is %+v", what, last)
		}
	}
}

func names(table *apitable.Table) string {
	var names []string
	for _, row := range table.Rows {
		names = append(names, row.Key()+" "+row.Cells[1])
	}
	return strings.Join(names, ", ")
}

func held(w http.ResponseWriter, r *http.Request) {
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func TestAWatchKeepsTheTableUpToDate(t *testing.T) {
	s := newServer(t)
	s.list = func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept"), "as=Table") {
			t.Errorf("asked for %q", r.Header.Get("Accept"))
		}
		io.WriteString(w, tableOf(10, tableRow("ml", "b", "Running", 7), tableRow("ml", "a", "Pending", 8)))
	}
	s.watch = func(w http.ResponseWriter, r *http.Request) {
		if version := r.URL.Query().Get("resourceVersion"); version != "10" {
			t.Errorf("the watch begins at %s", version)
		}
		io.WriteString(w, eventOf("MODIFIED", strings.Replace(tableOf(0, tableRow("ml", "a", "Running", 11)), columnDefinitions, "null", 1)))
		io.WriteString(w, eventOf("ADDED", tableOf(0, tableRow("llm", "c", "Pending", 12))))
		io.WriteString(w, eventOf("DELETED", tableOf(0, tableRow("ml", "b", "Running", 13))))
		held(w, r)
	}
	f := follow(t, s, pods, "")
	listed := f.next("that was listed", func(t *apitable.Table) bool { return t.Listed })
	if have := names(listed); have != "ml/a Pending, ml/b Running" {
		t.Errorf("listed were %s", have)
	}
	table := f.next("with the changes", func(t *apitable.Table) bool { return names(t) == "llm/c Pending, ml/a Running" })
	if len(table.Columns) != 4 || table.Columns[3].Priority != 1 || table.Trouble != "" || table.Every != 0 {
		t.Errorf("the table is %+v", table)
	}
	row := table.Rows[1]
	if !slices.Equal(row.Cells, []string{"a", "Running", "3", ""}) || row.UID != "uid-a" || row.Labels["app"] != "web" ||
		row.Owner != (train.Ref{Group: "apps", Kind: "ReplicaSet", Namespace: "ml", Name: "web-5d", UID: "u1"}) || row.Created.IsZero() {
		t.Errorf("the row is %+v", row)
	}
	if strings.Contains(fmt.Sprintf("%+v", *row), "hunter2") {
		t.Error("a row has what the annotation repeats")
	}
}

func TestAnExpiredWatchIsListedAgain(t *testing.T) {
	s := newServer(t)
	lists := 0
	s.list = func(w http.ResponseWriter, _ *http.Request) {
		lists++
		io.WriteString(w, tableOf(10*lists, tableRow("ml", fmt.Sprintf("pod-%d", lists), "Running", 7)))
	}
	s.watch = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("resourceVersion") == "10" {
			io.WriteString(w, eventOf("ERROR", `{"kind":"Status","status":"Failure","code":410,"reason":"Expired","message":"too old resource version"}`))
			return
		}
		held(w, r)
	}
	table := follow(t, s, pods, "").next("of the second list", func(t *apitable.Table) bool { return names(t) == "ml/pod-2 Running" })
	if table.Trouble != "" {
		t.Errorf("what heals itself is shown as %q", table.Trouble)
	}
}

func TestWhereWatchingIsRefusedTheListIsReadAgain(t *testing.T) {
	s := newServer(t)
	s.list = func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, tableOf(10, tableRow("ml", "a", "Running", 7)))
	}
	s.watch = func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, 403, "Forbidden", `pods is forbidden: User "ada" cannot watch resource "pods"`)
	}
	table := follow(t, s, pods, "").next("that is read again", func(t *apitable.Table) bool { return t.Every > 0 })
	if table.Every != pollInterval || names(table) != "ml/a Running" || table.Trouble != "" {
		t.Errorf("the table is %+v", table)
	}
}

func TestARefusedListFallsBackToTheNamespaceInUse(t *testing.T) {
	s := newServer(t)
	s.list = func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "/namespaces/ml/") {
			refuse(w, 403, "Forbidden", `pods is forbidden: User "ada" cannot list resource "pods" in API group "" at the cluster scope`)
			return
		}
		io.WriteString(w, tableOf(10, tableRow("ml", "a", "Running", 7)))
	}
	s.watch = held
	table := follow(t, s, pods, "ml").next("of one namespace", func(t *apitable.Table) bool { return t.Listed })
	if table.OnlyIn != "ml" || names(table) != "ml/a Running" {
		t.Errorf("the table is %+v", table)
	}
	refused := follow(t, s, pods, "").next("that is refused", func(t *apitable.Table) bool { return t.Refused })
	if !strings.Contains(refused.Trouble, "listing pods in all namespaces was refused: pods is forbidden: User \"ada\"") {
		t.Errorf("the refusal is %q", refused.Trouble)
	}
}

func TestAServerThatFailsKeepsTheRows(t *testing.T) {
	s := newServer(t)
	broken := false
	s.list = func(w http.ResponseWriter, _ *http.Request) {
		if broken {
			refuse(w, 500, "InternalError", "etcdserver: leader changed")
			return
		}
		io.WriteString(w, tableOf(10, tableRow("ml", "a", "Running", 7)))
	}
	s.watch = func(w http.ResponseWriter, _ *http.Request) {
		broken = true
		refuse(w, 500, "InternalError", "etcdserver: leader changed")
	}
	table := follow(t, s, pods, "").next("in trouble", func(t *apitable.Table) bool { return t.Trouble != "" })
	if names(table) != "ml/a Running" || !strings.Contains(table.Trouble, "leader changed") || table.Refused {
		t.Errorf("the table is %+v", table)
	}
}

func TestObjectsOfAServerWithoutTablesHaveNamesAndAges(t *testing.T) {
	s := newServer(t)
	s.list = func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"kind":"WidgetList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"10"},"items":[
			{"kind":"Widget","metadata":{"name":"w","uid":"1","creationTimestamp":"2026-11-20T08:50:00Z"},"spec":{"big":{"deep":[1,2]}}}]}`)
	}
	s.watch = func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, eventOf("ADDED", `{"kind":"Widget","metadata":{"name":"x","uid":"2","resourceVersion":"11"}}`))
		held(w, r)
	}
	widgets := apitable.Listing{Group: "example.com", Version: "v1", Plural: "widgets", Kind: "Widget"}
	table := follow(t, s, widgets, "").next("with both", func(t *apitable.Table) bool { return len(t.Rows) == 2 })
	if names(table) != "/w , /x " || table.Columns[0].Name != "Name" || table.Columns[1].Name != "Age" {
		t.Errorf("the table is %+v", table)
	}
	if s.asked("/apis/example.com/v1/widgets?") == 0 {
		t.Errorf("asked was %q", s.requests)
	}
}

func TestNonsenseIsAnErrorAndNoTable(t *testing.T) {
	for _, answer := range []string{`<html>`, `[]`, `{}`, `{"kind":"Table","rows":7}`, `{"kind":"Table","rows":[{"cells":7}]}`, `{"kind":"Table","rows":[`,
		`{"kind":"Table","Rows":[]}`, `{"kind":"WidgetList","Items":[{"metadata":{"name":"x"}}]}`, `{"kind":"Status"}`,
		`{"kind":"Table","metadata":{"continue":"more"},"rows":[]}`, `{"kind":"Table","rows":[]}{"kind":"Table","rows":[]}`, `{"kind":"Table","rows":[]} and more`,
	} {
		if table, err := readTable(strings.NewReader(answer)); err == nil {
			t.Errorf("%s is read as %+v", answer, table)
		}
	}
}

// A row has nothing of the row before it, whose cells were read into the same memory.
func TestRowsAreReadApart(t *testing.T) {
	came, err := readTable(strings.NewReader(`{"kind": "Table", "columnDefinitions": [{"name": "Name"}, {"name": "Status"}, {"name": "Node"}], "rows": [
		{"cells": ["a", "Running", "node-1"], "conditions": [{"type": "Completed", "status": "True"}], "object": {"metadata": {"name": "a", "labels": {"x": "1"}}}},
		{"cells": ["b", null], "object": {"metadata": {"name": "b"}}},
		{"cells": ["c", "Pending", "node-2"], "object": {"metadata": {"name": "c"}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range came.rows {
		got = append(got, fmt.Sprint(row.Cells, row.Completed, row.Labels))
	}
	want := []string{"[a Running node-1] true map[x:1]", "[b ] false map[]", "[c Pending node-2] false map[]"}
	if !slices.Equal(got, want) {
		t.Errorf("the rows are %q, want %q", got, want)
	}
}
