package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWaitForARoleThatRuns checks that ranks whose pods are made only after another role
// has ended lack nothing, and that a role that runs for long without a newer line is
// missed.
func TestWaitForARoleThatRuns(t *testing.T) {
	text, err := os.ReadFile("testdata/reported/jobset-depends-on.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		now  string
		want Verdict
		says string
	}{
		{"2026-09-14T08:20:00Z", NothingWrong, ""},
		{"2026-09-14T09:20:00Z", NotEnoughRead, "ranks 1-2 wait for init (dependsOn), which has run for 78m, and no line of its log was read"},
	} {
		path := filepath.Join(t.TempDir(), "dump.yaml")
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "2026-09-14T08:20:00Z", c.now)), 0o600); err != nil {
			t.Fatal(err)
		}
		s := readDump(t, path)
		job := s.Jobs()[0]
		got := Run(s, Options{}, nil).Job(job.ID).Conclusion
		if got.Verdict != c.want || !strings.Contains(got.Sentence, c.says) {
			t.Errorf("at %s: %s: %s", c.now, got.Verdict, got.Sentence)
		}
		if !strings.HasSuffix(job.Reason, "and 1 more: waits for init (dependsOn)") {
			t.Errorf("the reason is %q", job.Reason)
		}
	}
}
