package metrics

import (
	"strings"
	"testing"
)

func TestMatchOfClusters(t *testing.T) {
	for _, c := range []struct {
		match    string
		clusters []string
		want     string
	}{
		{"", []string{"prod"}, `cluster="prod"`},
		{"", []string{""}, `cluster=""`},
		{`env="x",`, []string{`a"b`}, `env="x",cluster="a\"b"`},
		{"", []string{"", "eu.1"}, `cluster=~"|eu\\.1"`},
	} {
		if got := InClusters(c.match, "cluster", c.clusters); got != c.want {
			t.Errorf("%q %q: %s, want %s", c.match, c.clusters, got, c.want)
		}
	}
}

func TestMatchThatNamesACluster(t *testing.T) {
	for match, want := range map[string]bool{
		`cluster="a"`: true, `env="x", cluster =~ "a|b"`: true, `cluster!="a"`: true, `"cluster"="a"`: true,
		``: false, `env="cluster=a"`: false, `cluster_id="a"`: false, `subcluster="a"`: false,
	} {
		p := NewPrometheus(match)
		p.SetNames([]string{"DCGM_FI_DEV_GPU_TEMP"})
		if got := p.ClusterNames() == ""; got != want {
			t.Errorf("%s: %v", match, got)
		}
	}
}

func TestClusterNames(t *testing.T) {
	row := func(labels string) string { return `{"metric":{` + labels + `},"value":[1,"1"]}` }
	answer := func(rows ...string) string {
		return `{"status":"success","data":{"resultType":"vector","result":[` + strings.Join(rows, ",") + `]}}`
	}
	for _, c := range []struct{ text, label, clusters string }{
		{answer(row("")), "", ""},
		{answer(row(`"cluster":"a"`)), "", ""},
		{answer(row(`"cluster":"b"`), row(`"cluster":"a"`), row("")), "cluster", ",a,b"},
		{answer(row(`"cluster":"a","k8s_cluster_name":"x"`), row(`"cluster":"a","k8s_cluster_name":"y"`)), "k8s_cluster_name", "x,y"},
	} {
		label, clusters, _, err := ReadClusterNames(strings.NewReader(c.text))
		if err != nil || label != c.label || strings.Join(clusters, ",") != c.clusters {
			t.Errorf("%s: %q %q %v", c.text, label, clusters, err)
		}
	}
}
