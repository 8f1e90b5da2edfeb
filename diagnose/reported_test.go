package diagnose

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// reportedJob is what the .expect.json of a dump contains about one job; what it
// leaves out is not compared.
type reportedJob struct {
	expectation
	File   string         `json:"file"` // the dump, if it is not NAME.yaml
	Phase  train.Phase    `json:"phase"`
	Wanted *int           `json:"ranks_wanted"`
	Ready  *int           `json:"ranks_ready"`
	GPUs   *int           `json:"gpus"`
	Again  *int           `json:"restarts"`
	Roles  map[string]int `json:"roles"`
}

// TestReportedClusters reads dumps made around statuses, events and manifests
// that users and developers published, completed with what such a cluster
// shows; the first line of each names the source and what was recorded. Rows
// and causes must be those of the .expect.json beside it.
func TestReportedClusters(t *testing.T) {
	files, _ := filepath.Glob("testdata/reported/*.expect.json")
	first, _ := filepath.Glob("testdata/firstcontact*/*.expect.json")
	if len(files) < 100 || len(first) < 40 {
		t.Fatalf("%d and %d expectations, want 100 and 40 or more", len(files), len(first))
	}
	files = append(files, first...)
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".expect.json"), func(t *testing.T) {
			all := readReported(t, path)
			dump := strings.TrimSuffix(path, ".expect.json") + ".yaml"
			if all[0].File != "" {
				dump = filepath.Join(filepath.Dir(path), all[0].File)
			}
			snapshot := readDump(t, dump)
			for _, want := range all {
				checkRow(t, snapshot, &want)
				if want.Causes != nil {
					checkDump(t, dump, want.expectation)
				}
			}
		})
	}
}

// readReported reads an expectation: of one job, or of several.
func readReported(t *testing.T, path string) []reportedJob {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var several struct{ Jobs []reportedJob }
	if err := json.Unmarshal(data, &several); err != nil {
		t.Fatal(err)
	}
	if len(several.Jobs) > 0 {
		return several.Jobs
	}
	var one reportedJob
	if err := json.Unmarshal(data, &one); err != nil {
		t.Fatal(err)
	}
	return []reportedJob{one}
}

func checkRow(t *testing.T, snapshot *store.Snapshot, want *reportedJob) {
	t.Helper()
	jobs := snapshot.Jobs()
	at := slices.IndexFunc(jobs, func(j *train.Job) bool { return rowName(j) == want.Job })
	if at < 0 {
		t.Fatalf("no row %s", want.Job)
	}
	job := jobs[at]
	if job.Phase != want.Phase {
		t.Errorf("%s: phase %s, want %s", want.Job, job.Phase, want.Phase)
	}
	for name, count := range map[string]struct {
		want *int
		got  int
	}{"ranks wanted": {want.Wanted, job.Wanted}, "ranks ready": {want.Ready, job.Ready}, "GPUs": {want.GPUs, job.GPUs}, "restarts": {want.Again, job.Restarts}} {
		if count.want != nil && *count.want != count.got {
			t.Errorf("%s: %d %s, want %d", want.Job, count.got, name, *count.want)
		}
	}
	if want.Roles == nil {
		return
	}
	roles := map[string]int{}
	for _, role := range job.Roles {
		roles[role.Name] = role.Wanted
	}
	if diff := cmp.Diff(want.Roles, roles); diff != "" {
		t.Errorf("%s: roles differ (-want +got):\n%s", want.Job, diff)
	}
}
