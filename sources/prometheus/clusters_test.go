package prometheus

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/train"
)

// inventory is a cluster of nodes and pods (namespace/name), of which the nodes are
// not known completely.
type inventory struct{ nodes, pods []string }

func (i inventory) Machines() (func(string) bool, bool) { return nil, false }

func (i inventory) HasNode(name string) bool {
	return strings.Contains(strings.Join(i.nodes, " ")+" ", name+" ")
}

func (i inventory) HasPod(namespace, name string) bool {
	return strings.Contains(strings.Join(i.pods, " ")+" ", namespace+"/"+name+" ")
}

// manyClusters answers as a server of several clusters: each has nodes gpu-0 and gpu-1
// with one GPU that has the same UUID everywhere, and pods of its own.
func manyClusters(s *server, podOf map[string]string, clusters ...string) func(*http.Request) *http.Response {
	return func(request *http.Request) *http.Response {
		query := request.URL.Query().Get("query")
		matched := regexp.MustCompile(`cluster="([^"]*)"`).FindStringSubmatch(query)
		if !strings.Contains(query, "DCGM") || strings.Contains(query, "count_over_time") {
			return nil
		}
		var rows []string
		for i, cluster := range clusters {
			if matched != nil && matched[1] != cluster {
				continue
			}
			for node := range 2 {
				labels := fmt.Sprintf(`"gpu":"0","UUID":"GPU-%d","Hostname":"gpu-%d"`, node, node)
				if pod := podOf[cluster]; pod != "" {
					labels += fmt.Sprintf(`,"exported_namespace":"ml","exported_pod":"%s-%d"`, pod, node)
				}
				if strings.Contains(query, "by (cluster") {
					labels += `,"cluster":"` + cluster + `"`
				}
				if strings.Contains(query, "__name__") {
					labels += `,"__name__":"DCGM_FI_DEV_GPU_UTIL"`
				}
				value := fmt.Sprint(10 * (i + 1))
				if strings.Contains(query, "timestamp(") {
					value = fmt.Sprint(s.now().Unix())
				}
				rows = append(rows, fmt.Sprintf(`{"metric":{%s},"value":[%d,"%s"]}`, labels, s.now().Unix(), value))
			}
		}
		return says(200, `{"status":"success","data":{"resultType":"vector","result":[`+strings.Join(rows, ",")+`]}}`)
	}
}

// One server keeps the GPUs of several clusters whose nodes and UUIDs have the same
// names: only those of this cluster are read, and which were seen is reported.
func TestClustersOnOneServer(t *testing.T) {
	pods := map[string]string{"dev": "web", "prod": "bert", "test": "vit"}
	nodes := []string{"gpu-0", "gpu-1"}
	for _, c := range []struct {
		name   string
		pods   map[string]string
		holds  []string
		match  string
		ours   inventory
		load   float64 // 0: no GPU is read
		says   []string
		silent bool
	}{
		{"pods tell them apart", pods, []string{"dev", "prod", "test"}, "", inventory{nodes, []string{"ml/bert-0", "ml/bert-1"}}, 20, []string{"label cluster: dev, prod, test", "prod is read", "2 nodes", "2 pods", "match"}, false},
		{"nothing tells them apart", nil, []string{"dev", "prod"}, "", inventory{nodes, nil}, 0, []string{"dev and prod fit this cluster equally well", "none of them is read"}, false},
		{"none is ours", pods, []string{"dev", "prod"}, "", inventory{[]string{"h100-a"}, nil}, 0, []string{"none of them names a node or a pod of this cluster"}, false},
		{"a person chose", pods, []string{"dev", "prod"}, `cluster="dev"`, inventory{nodes, nil}, 10, nil, true},
		{"one cluster", pods, []string{"prod"}, "", inventory{nodes, nil}, 10, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &server{}
			s.instead = manyClusters(s, c.pods, c.holds...)
			play(t, s, Options{Match: c.match, Inventory: func() Inventory { return c.ours }}, func(into *sink, _ *Source) {
				time.Sleep(time.Minute)
				synctest.Wait()
				h, m := into.look()
				if c.silent != (h.Text == "") || h.State != train.SourceLive {
					t.Errorf("%s: %q", h.State, h.Text)
				}
				for _, part := range c.says {
					if !strings.Contains(h.Text, part) {
						t.Errorf("%q is not in %q", part, h.Text)
					}
				}
				want := 2
				if c.load == 0 {
					want = 0
				}
				if len(m.Readings) != want {
					t.Fatalf("%d readings, want %d", len(m.Readings), want)
				}
				for i := range m.Readings {
					if load, _ := m.Readings[i].Values.Get(train.GPUUtilization); load != c.load {
						t.Errorf("load %v of %+v", load, m.Readings[i].GPU)
					}
				}
			})
		})
	}
}

// whole is a cluster whose nodes were listed completely after a time.
type whole struct {
	inventory
	since *time.Time
	after time.Duration
}

func (w whole) Machines() (func(string) bool, bool) {
	if w.since.IsZero() {
		*w.since = time.Now()
	}
	if time.Since(*w.since) < w.after {
		return nil, true
	}
	return func(name string) bool { return strings.HasPrefix(name, "dcgm-") }, false
}

// GPUs of nodes that this cluster does not have are left out, and that is reported;
// those of nodes that another name is known for, or whose GPUs a pod of this
// cluster holds, are not.
func TestGPUsOfAnotherClusterAreLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		ours  Inventory
		want  int
		says  string
		hosts string
	}{
		"all":              {whole{inventory{[]string{"h100-a"}, nil}, &time.Time{}, 0}, 0, "left out: 2 GPUs on 2 machines that this cluster does not have, such as gpu-0,", ""},
		"one":              {whole{inventory{[]string{"gpu-1"}, nil}, &time.Time{}, 0}, 1, "left out: 1 GPU on 1 machine that this cluster does not have, such as gpu-0,", ""},
		"listed late":      {whole{inventory{[]string{"gpu-1"}, nil}, &time.Time{}, time.Second}, 1, "left out: 1 GPU on 1 machine", ""},
		"held by a pod":    {whole{inventory{[]string{"gpu-1"}, []string{"ml/bert-0"}}, &time.Time{}, 0}, 2, "", ""},
		"none":             {whole{inventory{[]string{"gpu-0", "gpu-1"}, nil}, &time.Time{}, 0}, 2, "", ""},
		"another name":     {whole{inventory{[]string{"h100-a"}, nil}, &time.Time{}, 0}, 2, "", "dcgm"},
		"an address":       {whole{inventory{[]string{"h100-a"}, nil}, &time.Time{}, 0}, 2, "", "10.0.0"},
		"nodes not listed": {inventory{[]string{"h100-a"}, nil}, 2, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{}
			answer := manyClusters(s, map[string]string{"prod": "bert"}, "prod")
			s.instead = func(request *http.Request) *http.Response {
				response := answer(request)
				switch {
				case response == nil || c.hosts == "":
					return response
				case c.hosts == "dcgm":
					return replaced(response, `"Hostname":"gpu-`, `"Hostname":"dcgm-`)
				}
				return replaced(response, `"Hostname":"gpu-`, `"Hostname":"10.0.0.`)
			}
			play(t, s, Options{Inventory: func() Inventory { return c.ours }, Past: time.Hour}, func(into *sink, source *Source) {
				time.Sleep(3 * time.Second)
				synctest.Wait()
				h, m := into.look()
				if len(m.Readings) != c.want || !strings.Contains(h.Text, c.says) || c.says == "" && h.Text != "" || h.State != train.SourceLive {
					t.Errorf("%d readings, want %d; %s: %q", len(m.Readings), c.want, h.State, h.Text)
				}
				if c.want < 2 && source.Covers("gpu-0") {
					t.Error("a node of another cluster is covered")
				}
			})
		})
	}
}

// A choice waits for nodes that are listed late.
func TestClusterChoiceWaitsForNodes(t *testing.T) {
	s := &server{}
	s.instead = manyClusters(s, map[string]string{"dev": "web", "prod": "bert"}, "dev", "prod")
	began := time.Time{}
	play(t, s, Options{Inventory: func() Inventory {
		if began.IsZero() {
			began = time.Now()
		}
		if time.Since(began) < time.Second {
			return inventory{}
		}
		return inventory{[]string{"gpu-0"}, []string{"ml/bert-0"}}
	}}, func(into *sink, _ *Source) {
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if _, m := into.look(); len(m.Readings) != 2 {
			t.Errorf("%d readings", len(m.Readings))
		}
	})
}

// A label that divides one cluster hides none of its nodes.
func TestClusterLabelWithinOneCluster(t *testing.T) {
	s := &clusterSurvey{
		label: "cluster", names: []string{"", "a", "b", "other"},
		machines: map[string]map[string]bool{"": {"n0": true}, "a": {"n1.example.com": true}, "b": {"n2": true}, "other": {"x": true}},
	}
	choice := s.choose(inventory{nodes: []string{"n0", "n1", "n2"}})
	if strings.Join(choice.names, "|") != "|a|b" || !choice.sure {
		t.Errorf("%+v", choice)
	}
}
