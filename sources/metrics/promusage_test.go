package metrics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func TestUsageQueries(t *testing.T) {
	all := UsageQueries([]string{"node_infiniband_state_id", "container_memory_working_set_bytes", "up"}, `cluster="a"`, []string{"ml", "research", `x"} or up{`})
	var texts []string
	for _, q := range all {
		texts = append(texts, q.Text)
	}
	want := []string{
		`count by (instance,node,kubernetes_node,node_name) (node_infiniband_state_id{cluster="a"})`,
		`count by (instance,node,kubernetes_node,node_name) (node_infiniband_state_id{cluster="a"} != 4)`,
		`max by (namespace,pod,container) (container_memory_working_set_bytes{container!="",container!="POD",namespace=~"ml|research",cluster="a"})`,
	}
	if strings.Join(texts, "\n") != strings.Join(want, "\n") {
		t.Errorf("the queries are\n%s\nwant\n%s", strings.Join(texts, "\n"), strings.Join(want, "\n"))
	}
	if len(UsageQueries([]string{"container_memory_working_set_bytes"}, "", nil)) != 0 {
		t.Error("pods of no namespace are asked for")
	}
	for _, ask := range usageAsks {
		if text := ask.text(""); strings.Contains(text, "ALSO") || strings.Contains(text, "BY") || strings.Contains(text, "{,") || strings.Contains(text, ",}") {
			t.Errorf("the query is %s", text)
		}
	}
}

func vector(rows ...string) string {
	for i, row := range rows {
		labels, value, _ := strings.Cut(row, " ")
		rows[i] = fmt.Sprintf(`{"metric":%s,"value":[1700000000.5,"%s"]}`, labels, value)
	}
	return `{"status":"success","data":{"resultType":"vector","result":[` + strings.Join(rows, ",") + `]}}`
}

func TestUsageOfPrometheus(t *testing.T) {
	u := NewPromUsage()
	wanted := func(_, pod string) bool { return pod == "w-0" }
	read := func(of usageScope, quantity train.UsageQuantity, rows ...string) {
		t.Helper()
		if _, err := u.Read(UsageQuery{of: of, quantity: quantity}, strings.NewReader(vector(rows...)), wanted); err != nil {
			t.Fatal(err)
		}
	}
	read(nodeByAddress, 0, `{"internal_ip":"10.0.0.7","node":"gpu-7"} 1`)
	read(nodeByTarget, 0, `{"instance":"10.0.0.8:9100","nodename":"gpu-8"} 1`)
	read(ofNode, train.UsedRDMAPorts, `{"instance":"10.0.0.7:9100"} 8`, `{"instance":"10.0.0.8:9100"} 8`, `{"instance":"gpu-9"} 1`, `{"instance":"10.0.0.99:9100"} 4`)
	read(ofNode, train.UsedRDMAPortsDown, `{"instance":"10.0.0.8:9100"} 2`)
	read(ofContainer, train.UsedCPUThrottled, `{"namespace":"ml","pod":"w-0","container":"pytorch"} 0.25`, `{"namespace":"ml","pod":"w-0","container":"side"} NaN`, `{"namespace":"ml","pod":"other","container":"c"} 1`)
	read(ofContainer, train.UsedMemory, `{"namespace":"ml","pod":"w-0","container":"pytorch"} 1024`)
	read(ofPod, train.UsedNetworkSent, `{"namespace":"ml","pod":"w-0"} 5`)

	all := u.Usage(time.Second)
	if len(all) != 5 {
		t.Fatalf("%d nodes and containers: %+v", len(all), all)
	}
	want := func(i int, name string, q train.UsageQuantity, number float64) {
		t.Helper()
		use := all[i]
		if got, known := use.Values.Get(q); !known || got != number || use.Node+use.Pod+"/"+use.Container != name {
			t.Errorf("row %d is %+v, want %s with %v", i, use, name, number)
		}
	}
	want(0, "gpu-7/", train.UsedRDMAPortsDown, 0)
	want(1, "gpu-8/", train.UsedRDMAPortsDown, 2)
	want(2, "gpu-9/", train.UsedRDMAPorts, 1)
	want(3, "w-0/pytorch", train.UsedCPUThrottled, 0.25)
	want(3, "w-0/pytorch", train.UsedMemory, 1024)
	want(4, "w-0/", train.UsedNetworkSent, 5)
	if at := all[0].At; !at.Equal(time.UnixMilli(1700000001500)) {
		t.Errorf("measured at %v", at)
	}
}
