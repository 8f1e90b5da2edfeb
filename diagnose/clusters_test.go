package diagnose

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// expectation is the content of a dump's .expect.json about the causes of one
// of its jobs: the first finding must be one of Causes or Also; "none" allows
// no error.
type expectation struct {
	Job    string   `json:"job"`
	Causes []string `json:"causes"`
	Also   []string `json:"also"`
}

// TestClusters diagnoses dumps of a real control plane: Kubernetes 1.36.3 with
// the real operators, kubelets' events with the texts of 1.36.3. The dumps are
// those of train/kinds, which documents how they were recorded, and further
// ones of the same kind in testdata/clusters.
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
			var want expectation
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(path, ".expect.json") + ".yaml"
			if _, err := os.Stat(name); err != nil {
				name = filepath.Join("../train/kinds/testdata/clusters", filepath.Base(name))
			}
			checkDump(t, name, want)
		})
	}
}

// rowName is the name of a job in expectations, made of the fields that "jobs -o
// json" has.
func rowName(job *train.Job) string {
	return job.Ref.Namespace + "/" + job.Ref.Kind + "/" + job.Ref.Name
}

func checkDump(t *testing.T, path string, want expectation) {
	t.Helper()
	s := readDump(t, path)
	report := Run(s, Options{}, nil)
	for _, job := range s.Jobs() {
		findings := report.Job(job.ID).Findings
		for i := range findings {
			t.Log(job.Ref, describeFinding(&findings[i]))
		}
		if rowName(job) != want.Job {
			continue
		}
		causes := slices.DeleteFunc(slices.Clone(want.Causes), func(c string) bool { return c == "none" })
		if len(causes) == 0 {
			if len(findings) > 0 && findings[0].Severity == train.SeverityError {
				t.Errorf("a job that is well has the error %s", findings[0].Cause)
			}
			return
		}
		if len(findings) == 0 {
			t.Fatalf("nothing found, want %v", causes)
		}
		if !slices.Contains(append(causes, want.Also...), string(findings[0].Cause)) {
			t.Errorf("first cause %s, want one of %v", findings[0].Cause, causes)
		}
		return
	}
	t.Errorf("no job %s", want.Job)
}

// describeFinding formats a finding in a few lines, as a person would read it.
func describeFinding(f *train.Finding) string {
	var text strings.Builder
	text.WriteString(string(f.Severity) + " " + string(f.Cause) + ": " + f.Title + "\n    " + f.Explanation)
	for _, e := range f.Evidence {
		text.WriteString("\n    - " + e.Object.String() + " " + e.Field + ": " + e.Text)
	}
	for _, step := range f.Next {
		text.WriteString("\n    > " + step.Text + " " + step.Command)
		if step.Edit != "" {
			text.WriteString("\n" + step.Edit)
		}
	}
	for _, hidden := range f.Hides {
		text.WriteString("\n    hides " + string(hidden))
	}
	return text.String()
}

func readDump(t testing.TB, path string) *store.Snapshot {
	t.Helper()
	st := store.New(func() time.Time { return time.Time{} })
	if err := dump.New([]string{path}, dump.Options{}).Run(context.Background(), st); err != nil {
		t.Fatal(err)
	}
	return st.Snapshot()
}
