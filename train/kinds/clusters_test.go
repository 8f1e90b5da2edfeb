package kinds

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
)

// expectation is the content of a dump's .expect.json about one of its jobs.
type expectation struct {
	Job    string         `json:"job"`
	Phase  string         `json:"phase"`
	Wanted int            `json:"ranks_wanted"`
	Ready  int            `json:"ranks_ready"`
	GPUs   int            `json:"gpus"`
	Roles  map[string]int `json:"roles"`
}

// TestClusters reads dumps of a real control plane, recorded with real
// operators and trimmed, and compares rows with the expectation beside each.
func TestClusters(t *testing.T) {
	dir := "testdata/clusters"
	if elsewhere := os.Getenv("TRAINTOP_CLUSTERS"); elsewhere != "" {
		dir = elsewhere // more dumps of the same form
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.expect.json"))
	if len(files) == 0 {
		t.Fatal("no expectations in " + dir)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".expect.json"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want expectation
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			jobs := readCluster(t, strings.TrimSuffix(path, ".expect.json")+".yaml").jobs()
			t.Log(rows(jobs))
			for _, job := range jobs {
				if rowOf(job).Job != want.Job {
					continue
				}
				if diff := cmp.Diff(want, rowOf(job)); diff != "" {
					t.Errorf("row differs (-want +got):\n%s", diff)
				}
				checkRanks(t, job)
				return
			}
			t.Errorf("no row %s in %s", want.Job, rows(jobs))
		})
	}
}

func rowOf(job *train.Job) expectation {
	row := expectation{
		Job: job.Ref.Namespace + "/" + job.Ref.Kind + "/" + job.Ref.Name, Phase: string(job.Phase), Wanted: job.Wanted, Ready: job.Ready,
		GPUs: job.GPUs, Roles: map[string]int{},
	}
	for _, role := range job.Roles {
		row.Roles[role.Name] = role.Wanted
	}
	return row
}

// checkRanks checks that there is one rank per wanted index, in order and each
// number once.
func checkRanks(t *testing.T, job *train.Job) {
	t.Helper()
	if len(job.Ranks) < job.Wanted {
		t.Errorf("%d ranks for %d wanted", len(job.Ranks), job.Wanted)
	}
	for i := range job.Ranks {
		if job.Ranks[i].Index != i {
			t.Errorf("rank %d stands at position %d", job.Ranks[i].Index, i)
		}
	}
}

func rows(jobs []*train.Job) string {
	var text strings.Builder
	for _, j := range jobs {
		fmt.Fprintf(&text, "%s %s %d/%d gpus %d (%s) restarts %d training %v gone %v queue %+v: %q\n",
			j.Ref, j.Phase, j.Ready, j.Wanted, j.GPUs, j.GPUResource, j.Restarts, j.Training, j.Gone, j.Queue, j.Reason)
	}
	return text.String()
}
