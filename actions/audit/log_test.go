package audit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
)

var instant = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func clock() time.Time { return instant }

var deletion = Change{
	Context: "prod", User: "ada", Verb: "delete", Request: "delete propagation=Background",
	Object: train.Ref{Group: "kubeflow.org", Kind: "PyTorchJob", Namespace: "ml", Name: "bert", UID: "u1"},
}

// lines reads a log as a script would.
func lines(t *testing.T, paths ...string) []Line {
	t.Helper()
	var all []Line
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for scanner := bufio.NewScanner(file); scanner.Scan(); {
			var line Line
			if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
				t.Fatalf("%s: %q: %v", path, scanner.Text(), err)
			}
			all = append(all, line)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestAChangeLeavesTwoLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "traintop", "audit.jsonl")
	log := New(path, clock)
	first, err := log.Begin(deletion)
	if err != nil {
		t.Fatal(err)
	}
	if begun := lines(t, path); len(begun) != 1 || begun[0].Result != Begun {
		t.Errorf("before the change: %+v", begun)
	}
	if err := first.End(nil); err != nil {
		t.Fatal(err)
	}
	second, _ := log.Begin(deletion)
	if err := second.End(errors.New("forbidden:\x1b[31m you may not\ndelete it, env password=hunter2")); err != nil {
		t.Fatal(err)
	}
	got := lines(t, path)
	if len(got) != 4 || got[1].Result != Done || got[0].ID != got[1].ID || got[2].ID == got[0].ID {
		t.Fatalf("%+v", got)
	}
	if want := (Object{"kubeflow.org", "PyTorchJob", "ml", "bert", "u1"}); got[1].Object != want || got[1].Context != "prod" || got[1].User != "ada" || !got[1].Time.Equal(instant) {
		t.Errorf("%+v", got[1])
	}
	if got[3].Result != Failed || got[3].Error != "forbidden: you may not delete it, env password=<redacted:password>" {
		t.Errorf("%+v", got[3])
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestAFileThatOthersMayReadIsClosedToThem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such permissions")
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := New(path, clock).Begin(deletion); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("%v", info.Mode())
	}
}

func TestWhatCannotBeRecordedIsSaidBefore(t *testing.T) {
	folder := t.TempDir()
	blocked := filepath.Join(folder, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		filepath.Join(blocked, "audit.jsonl"), // its folder is a file
		folder,                                // it is a folder itself
	} {
		record, err := New(path, clock).Begin(deletion)
		if err == nil || !strings.HasPrefix(err.Error(), "this change cannot be recorded in "+path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
		if err := record.End(nil); err != nil {
			t.Errorf("the end of what was never begun: %v", err)
		}
	}
}

// A device cannot hold a record: /dev/null would accept and lose everything.
func TestADeviceIsRefused(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil || runtime.GOOS == "windows" {
		t.Skip("no devices as files here")
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.Symlink(os.DevNull, path); err != nil {
		t.Fatal(err)
	}
	if _, err := New(path, clock).Begin(deletion); err == nil || !strings.Contains(err.Error(), "no plain file") {
		t.Errorf("%v", err)
	}
}

func TestALineAfterATornOneIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, []byte(`{"time":"2026-11-20T09:0`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(path, clock).Begin(deletion); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(strings.TrimSpace(string(text)), "\n")
	var line Line
	if len(parts) != 2 || json.Unmarshal([]byte(parts[1]), &line) != nil || line.Object.Name != "bert" {
		t.Errorf("%q", text)
	}
}

func TestManyWritersLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	const writers, changes = 8, 25
	var wait sync.WaitGroup
	for w := range writers {
		log := New(path, clock) // one per change, as with several programs
		log.size = 50 << 10
		wait.Go(func() {
			for i := range changes {
				change := deletion
				change.Object.Name = fmt.Sprintf("%d-%d", w, i)
				record, err := log.Begin(change)
				if err == nil {
					err = record.End(nil)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	log := New(path, clock)
	kept := append(log.aside(), path)
	if len(kept) < 2 {
		t.Error("no file was put aside")
	}
	seen := map[string]int{}
	for _, line := range lines(t, kept...) {
		seen[line.Object.Name+line.Result]++
	}
	if len(seen) != writers*changes*2 {
		t.Errorf("%d different lines, want %d", len(seen), writers*changes*2)
	}
}

func TestFullFilesArePutAsideAndTheOldestGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	at := instant
	log := New(path, func() time.Time { at = at.Add(time.Second); return at })
	log.size = 1000
	neighbour := filepath.Join(filepath.Dir(path), "audit-notes.jsonl")
	if err := os.WriteFile(neighbour, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	const changes = 40
	for i := range changes {
		change := deletion
		change.Object.Name = fmt.Sprint(i)
		if _, err := log.Begin(change); err != nil {
			t.Fatal(err)
		}
	}
	if len(log.aside()) != Keep {
		t.Errorf("%d put aside", len(log.aside()))
	}
	all := lines(t, append(log.aside(), path)...)
	for i, line := range all {
		if want := fmt.Sprint(changes - len(all) + i); line.Object.Name != want {
			t.Fatalf("line %d is %s, want %s: one in the middle is lost", i, line.Object.Name, want)
		}
	}
	if text, err := os.ReadFile(neighbour); err != nil || string(text) != "mine" {
		t.Errorf("another file is gone: %v", err)
	}
}

func TestSummaryHasNoSecrets(t *testing.T) {
	grace := int64(0)
	for want, r := range map[string]actions.Request{
		"delete propagation=Foreground grace=0s":    {Verb: actions.Delete, Propagation: actions.Foreground, Grace: &grace},
		"patch spec.suspend=true":                   {Verb: actions.Patch, Body: []byte(`{"spec":{"suspend":true}}`)},
		"patch spec.env.HF_TOKEN spec.n=3":          {Verb: actions.Patch, Body: []byte(`{"spec":{"env":{"HF_TOKEN":"hf_abc"},"n":3}}`)},
		"patch spec.tasks.0.replicas=6":             {Verb: actions.Patch, Body: []byte(`[{"op":"test","path":"/spec/tasks/0/name","value":"w"},{"op":"add","path":"/spec/tasks/0/replicas","value":6}]`)},
		"create eviction dry run object of 2 bytes": {Verb: actions.Create, Subresource: "eviction", Body: []byte("{}"), DryRun: true},
		"patch patch of 5 bytes":                    {Verb: actions.Patch, Body: []byte(`{"a":`)},
		"update object of 20 bytes":                 {Verb: actions.Update, Body: []byte(`{"password":"hunter"`)},
	} {
		if got := Summary(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	many := map[string]bool{}
	for i := range 1000 {
		many[fmt.Sprint(i)] = true
	}
	body, _ := json.Marshal(many)
	if got := Summary(actions.Request{Verb: actions.Patch, Body: body}); !strings.HasSuffix(got, "and 968 more") {
		t.Errorf("%q", got)
	}
}

func BenchmarkChange(b *testing.B) {
	log := New(filepath.Join(b.TempDir(), "audit.jsonl"), clock)
	b.ReportAllocs()
	for b.Loop() {
		record, err := log.Begin(deletion)
		if err != nil {
			b.Fatal(err)
		}
		if err := record.End(nil); err != nil {
			b.Fatal(err)
		}
	}
}
