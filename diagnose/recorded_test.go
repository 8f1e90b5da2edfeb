package diagnose

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// trouble matches text in a log that rightly causes a finding.
var trouble = regexp.MustCompile(`(?i)\b(nan|inf|-inf)\b|Traceback|Error:|error:|Killed|OOM|out of memory|OVERFLOW|driver on your system is too old`)

// Recorded logs of healthy training (those of sources/formats, which documents
// where they are from), followed live as the log of a running rank, with their
// last line printed just now, give no finding at all.
func TestRecordedLogsAreQuiet(t *testing.T) {
	paths, err := filepath.Glob("../sources/formats/testdata/*.log")
	if err != nil || len(paths) == 0 {
		t.Fatal("no logs", err)
	}
	quiet := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 256<<10 || trouble.Match(text) {
			continue
		}
		quiet++
		c := newCluster(t)
		c.trained(1)
		st := store.New(func() time.Time { return noon })
		st.Apply(c.events...)
		stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: "uid-bert-worker-0", Container: "pytorch"}
		st.Apply(store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
		feed := logfeed.NewFeed(st, stream, logfeed.Options{Framing: logfeed.FramingTimestamps})
		_, _ = feed.Write(stamped(text))
		feed.End()
		s := st.Snapshot()
		for _, f := range Run(s, Options{}, nil).Job(s.Jobs()[0].ID).Findings {
			waits := f.Cause == "checkpoint-stall" // by the times of stamped, where each line takes as long
			if f.Severity != train.SeverityInfo && !waits && !(f.Cause == "dataloader-bound" && strings.Contains(string(text), "data_time")) {
				t.Errorf("%s: %s", filepath.Base(path), describeFinding(&f))
			}
		}
	}
	if quiet < 50 {
		t.Errorf("only %d logs were read", quiet)
	}
}

// stamped gives each line a time as the kubelet does, five seconds apart at
// most, the last one now.
func stamped(text []byte) []byte {
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	each := min(5*time.Second, 110*time.Minute/time.Duration(len(lines)))
	var all strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&all, "%s %s", noon.Add(-time.Duration(len(lines)-1-i)*each).Format(time.RFC3339Nano), line)
	}
	return []byte(all.String())
}
