package metrics

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// After a query that was too much for a server each later one has half as many metrics.
func TestAskLessHalvesTheQueries(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	p := NewPrometheus("")
	all := p.group(promQuick, nil, []string{"gpu"}, names)
	if len(all) != 1 || !slices.Equal(all[0].names, names) {
		t.Fatalf("%d queries at first: %+v", len(all), all)
	}
	for _, most := range []int{4, 2, 1, 1} {
		p.AskLess(all[0])
		all = p.group(promQuick, nil, []string{"gpu"}, names)
		var asked []string
		for _, q := range all {
			if len(q.names) > most {
				t.Errorf("a query has %d metrics, want %d at most", len(q.names), most)
			}
			asked = append(asked, q.names...)
		}
		if !slices.Equal(asked, names) {
			t.Errorf("asked for %q", asked)
		}
	}
}

// Answers of the Prometheus API one behind the other are all read, with the headings of curl -i
// or the typed commands above each, one a line or without anything between them. What is
// behind them and is none is named.
func TestSeveralPrometheusAnswers(t *testing.T) {
	const head, typed = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", "$ curl -s http://prom:9090/api/v1/query?query=x\n"
	answer := func(name, value string) string {
		return `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"` + name + `","gpu":"0","UUID":"GPU-1","Hostname":"n1"},"value":[1763632800,"` + value + `"]}]}}`
	}
	use, temperature, xid := answer("DCGM_FI_DEV_GPU_UTIL", "90"), answer("DCGM_FI_DEV_GPU_TEMP", "61"), answer("DCGM_FI_DEV_XID_ERRORS", "79")
	empty := `{"status":"success","data":{"resultType":"vector","result":[]}}`
	for name, text := range map[string]string{
		"headings": head + use + head + temperature + "\n" + head + xid, "commands": typed + use + "\n" + typed + temperature + "\n" + typed + xid + "\n",
		"lines": use + "\n" + temperature + "\n" + xid + "\n", "glued": use + temperature + xid, "an empty one": empty + "\n" + use + "\n" + empty + "\n" + temperature + "\n" + xid,
	} {
		a, err := Read(strings.NewReader(text), Origin{})
		if err != nil || len(a.Readings) != 1 || len(a.Problems) != 0 {
			t.Errorf("%s: %d readings, %v, %v", name, len(a.Readings), a.Problems, err)
			continue
		}
		got := fmt.Sprintf("%+v", a.Readings[0])
		if _, known := a.Readings[0].Values.Get(train.GPUUtilization); !known || !strings.Contains(got, "61") || !strings.Contains(got, "79") {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, nothing := range []string{empty, empty + "\n" + empty} {
		if a, err := Read(strings.NewReader(nothing), Origin{}); err != nil || !strings.Contains(a.Note, "nothing matches the query") {
			t.Errorf("answers without a series: %q, %v", a.Note, err)
		}
	}
	a, _ := Read(strings.NewReader(use+"\n"+`{"items":[]}`+"\n"+xid), Origin{})
	if len(a.Readings) != 1 || len(a.Problems) != 1 || a.Problems[0].Line != 2 || !strings.Contains(a.Problems[0].Text, "behind the answer") {
		t.Errorf("another document behind it: %+v", a)
	}
}
