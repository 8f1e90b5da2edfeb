package dump

import (
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// shrinking is a machine on which another program cuts a file once a part of it was
// read.
type shrinking struct {
	machine
	to, after int64
}

func (s shrinking) Open(name string) (io.ReadCloser, error) {
	file, err := os.Open(name)
	return &shrinkingFile{File: file, shrinking: s}, err
}

type shrinkingFile struct {
	*os.File
	shrinking
	read int64
}

func (s *shrinkingFile) Stat() (fs.FileInfo, error) { return s.File.Stat() }

func (s *shrinkingFile) Read(p []byte) (int, error) {
	n, err := s.File.Read(p[:min(len(p), 1000)])
	if before := s.read; before < s.after && before+int64(n) >= s.after {
		if err := os.Truncate(s.File.Name(), s.to); err != nil {
			return n, err
		}
	}
	s.read += int64(n)
	return n, err
}

// TestAFileThatShrinksWhileItIsRead: what followed is missing, and that is reported
// about the log, or about a file of objects.
func TestAFileThatShrinksWhileItIsRead(t *testing.T) {
	line := "step 1 loss 2.5\n"
	for name, c := range map[string]struct {
		text      string
		to, after int64
		want      string
		log       train.StreamState
	}{
		"emptied.log": {strings.Repeat(line, 20000), 0, 200_000, "from 320000 bytes to 0; what followed line ", train.StreamFailed},
		"cut.log":     {strings.Repeat(line, 20000), 160_000, 100_000, "from 320000 bytes to 160000; what followed line 10000 ", train.StreamFailed},
		"whole.log":   {strings.Repeat(line, 20000), 320_000, 100_000, "", train.StreamEnded},
		"pods.yaml":   {strings.Repeat("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ml}\n---\n", 5000), 130_000, 65_000, "from 320000 bytes to 130000; the rest of it is missing", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, name, c.text)
			s := store.New(time.Now)
			f := New([]string{path}, Options{})
			f.disk = shrinking{to: c.to, after: c.after}
			_ = f.Run(t.Context(), s) // that something is missing is in the snapshot
			snapshot := s.Snapshot()
			said := ""
			snapshot.Logs(func(l *store.Log) bool {
				if said = l.Status.Text; l.Status.State != c.log {
					t.Errorf("the log is %s: %s", l.Status.State, l.Status.Text)
				}
				return true
			})
			for _, h := range snapshot.Health() {
				said += string(h.State) + " " + h.Text + "\n"
			}
			for _, problem := range f.Summary().Problems {
				said += problem.String() + "\n"
			}
			if shrank := strings.Contains(said, "became shorter"); !strings.Contains(said, c.want) || shrank != (c.want != "") {
				t.Errorf("the files are reported as %s", said)
			}
		})
	}
}
