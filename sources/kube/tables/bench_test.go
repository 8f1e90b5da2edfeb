package tables

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/apitable"
)

// many is a server with a table of so many rows.
func many(t testing.TB, rows int) *server {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(tableRow("ml", fmt.Sprintf("worker-%05d", i), "Running", i+1))
	}
	answer := []byte(tableOf(rows, b.String()))
	s := newServer(t)
	s.list = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer) }
	s.watch = held
	return s
}

// bare lists a table as a program does that keeps nothing else: bytes, then a
// metav1.Table of them.
func bare(t testing.TB, c *client.Connection) *metav1.Table {
	body, err := c.Core.Get().AbsPath("/api/v1/pods").SetHeader("Accept", asTable).Do(t.Context()).Raw()
	if err != nil {
		t.Fatal(err)
	}
	table := &metav1.Table{}
	if err := json.Unmarshal(body, table); err != nil {
		t.Fatal(err)
	}
	return table
}

// listed lists the same as a screen gets it.
func listed(t testing.TB, c *client.Connection) (table *apitable.Table) {
	f := &follower{connection: c, listing: pods, apply: func(t *apitable.Table) { table = t }}
	if err := f.list(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.working()
	return table
}

func BenchmarkBareTableList(b *testing.B) {
	c := connect(b, many(b, 10_000))
	b.ReportAllocs()
	for b.Loop() {
		bare(b, c)
	}
}

func BenchmarkTableOfTenThousand(b *testing.B) {
	c := connect(b, many(b, 10_000))
	b.ReportAllocs()
	for b.Loop() {
		listed(b, c)
	}
}

// TestTenThousandObjectsOpenLikeABareList compares the fastest of five within one run,
// since other work on the machine only ever adds: the table of 10,000 objects may take
// 1.5 times a bare list of them.
func TestTenThousandObjectsOpenLikeABareList(t *testing.T) {
	c := connect(t, many(t, 10_000))
	if n := len(listed(t, c).Rows); n != 10_000 {
		t.Fatalf("the table has %d rows", n)
	}
	ratio := 0.0
	for range 8 { // a busy machine disturbs some tries
		var ours, bares []time.Duration
		for range 5 {
			began := time.Now()
			bare(t, c)
			between := time.Now()
			listed(t, c)
			ours, bares = append(ours, time.Since(between)), append(bares, between.Sub(began))
		}
		table, list := slices.Min(ours), slices.Min(bares)
		ratio = float64(table) / float64(list)
		t.Logf("table %v, bare list %v: %.2f", table, list, ratio)
		if ratio <= 1.5 {
			return
		}
	}
	t.Errorf("the table takes %.2f times a bare list, more than 1.5", ratio)
}
