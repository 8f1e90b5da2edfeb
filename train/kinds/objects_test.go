package kinds

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	expectedKind  = regexp.MustCompile(`expect: (?:one row: |[\w.-]+/v\w+ )(\w+)`)
	expectedPhase = regexp.MustCompile(`\b(Pending|Queued|Suspended|Running|Restarting|Succeeded|Failed)\b`)
)

// TestObjects reads single objects of every kind, found in public
// repositories and issues (each file names its source), and compares the row
// with the file's "# expect:" comment.
func TestObjects(t *testing.T) {
	files, _ := filepath.Glob("testdata/objects/*.yaml")
	if len(files) == 0 {
		t.Fatal("no objects in testdata")
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			jobs := readCluster(t, path).jobs()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var expectation string
			for line := range strings.SplitSeq(string(text), "\n") {
				if strings.HasPrefix(line, "# expect:") {
					expectation = line
				}
			}
			kind, phase := expectedKind.FindStringSubmatch(expectation), expectedPhase.FindString(expectation)
			if kind == nil || phase == "" {
				t.Skip("tells about no row")
			}
			if len(jobs) != 1 || jobs[0].Ref.Kind != kind[1] || string(jobs[0].Phase) != phase {
				t.Errorf("got %s, want one %s %s", rows(jobs), kind[1], phase)
			}
		})
	}
}
