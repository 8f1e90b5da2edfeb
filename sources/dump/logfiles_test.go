package dump

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// folderOf writes files into a fresh folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// snapshotOf reads paths once into a store.
func snapshotOf(t *testing.T, o Options, paths ...string) *store.Snapshot {
	t.Helper()
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) })
	if err := New(paths, o).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

// logged returns the logs of a snapshot: their names with lines and samples.
func logged(s *store.Snapshot, root string) map[string][]string {
	all := map[string][]string{}
	s.Logs(func(log *store.Log) bool {
		name := strings.TrimPrefix(log.ID.File, root+"/")
		if log.ID.Pod != "" {
			name = fmt.Sprintf("%s/%s", log.ID.Namespace, log.ID)
		}
		lines := []string{string(log.Status.State)}
		for i := range log.Lines.Len() {
			lines = append(lines, fmt.Sprintf("%d %s", log.Lines.At(i).Number, log.Lines.At(i).Text))
		}
		all[name] = lines
		return true
	})
	return all
}

func TestALogAlone(t *testing.T) {
	path := write(t, "train.log", "step: 1 loss: 2.5\nstep: 2 loss: 2.25\n")
	s := snapshotOf(t, Options{}, path)
	jobs := s.LogJobs()
	if len(jobs) != 1 || jobs[0].Ref.Name != "train.log" || !jobs[0].LogsOnly || len(s.Jobs()) != 0 {
		t.Fatalf("jobs are %+v", jobs)
	}
	log := s.RankLog(jobs[0], 0)
	if log == nil || log.Lines.Len() != 2 || log.Status.State != train.StreamEnded || log.Samples.Samples != 2 {
		t.Fatalf("the log is %+v", log)
	}
	if want := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC); !s.Now.Equal(want) {
		t.Errorf("a log pinned the clock to %v", s.Now)
	}
	if h := s.Health(); len(h) != 1 || h[0].State != train.SourceRead || !strings.HasSuffix(h[0].Text, ": 1 log") {
		t.Errorf("health is %+v", h)
	}
}

func TestPackedLogs(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, "step: 1 loss: 2.5\n")
	_ = w.Close()
	path := write(t, "train.log.gz", packed.String())
	if got := logged(snapshotOf(t, Options{}, path), filepath.Dir(path)); !cmp.Equal(got, map[string][]string{"train.log.gz": {"ended", "1 step: 1 loss: 2.5"}}) {
		t.Errorf("got %v", got)
	}
	broken := write(t, "train.log.gz", packed.String()[:packed.Len()-9])
	s := snapshotOf(t, Options{}, broken)
	if log := s.RankLog(s.LogJobs()[0], 0); log.Status.State != train.StreamFailed || !strings.Contains(log.Status.Text, "before the end") {
		t.Errorf("a packed log that is cut off: %+v", log.Status)
	}
}

// Logs beside objects belong to their pods, and do not change the dump's
// instant.
func TestLogsBesideObjects(t *testing.T) {
	object, err := os.ReadFile("testdata/pytorch-crashloop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	root := folderOf(t, map[string]string{
		"objects.yaml":                    string(object),
		"logs/clip-worker-1.log":          "2026-11-21T00:00:00.000000001Z step: 3 loss: 2.5\n",
		"logs/clip-worker-1-previous.log": "step: 1 loss: 3.5\n",
		"logs/vision/clip-master-0.log":   "hello\n",
		"notes.md":                        "# what happened\n",
		"train.py":                        "loss = net(x)\n",
	})
	s := snapshotOf(t, Options{}, root)
	job := s.Jobs()[0]
	rank := -1
	for i := range job.Ranks {
		if job.Ranks[i].Pod == "clip-worker-1" {
			rank = i
		}
	}
	if rank < 0 {
		t.Fatalf("no such rank in %+v", job.Ranks)
	}
	logs := s.RankLogs(job, rank)
	if len(logs) != 2 || logs[0].Lines.At(0).Text != "step: 1 loss: 3.5" || logs[1].Lines.At(0).Text != "step: 3 loss: 2.5" {
		t.Fatalf("the rank's logs are %v", logged(s, root))
	}
	if want := "2026-11-20T09:27:19Z"; s.Now.Format(time.RFC3339) != want {
		t.Errorf("the instant is %v, want that of the objects, %s", s.Now, want)
	}
	if len(s.LogJobs()) != 0 {
		t.Errorf("jobs of logs alone: %+v", s.LogJobs())
	}
	for _, h := range s.Health() {
		if _, is := h.Skips(); is {
			continue
		}
		if h.State != train.SourceRead || !strings.Contains(h.Text, "2 of something else") || !strings.Contains(h.Text, "3 logs") {
			t.Errorf("health is %+v", h)
		}
	}
}

// The log of a pod whose name is that of pods of two namespaces is nobody's until its
// path shows of which it is.
func TestLogsOfPodsOfOneName(t *testing.T) {
	objects := ""
	for _, ns := range []string{"ml", "other"} {
		objects += "---\n" + strings.NewReplacer("NS", ns).Replace(`apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: a, namespace: NS, uid: job-NS}
spec: {pytorchReplicaSpecs: {Master: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: a}]}}}}}
---
apiVersion: v1
kind: Pod
metadata: {name: a-master-0, namespace: NS, uid: pod-NS, labels: {training.kubeflow.org/job-name: a, training.kubeflow.org/replica-type: master, training.kubeflow.org/replica-index: "0"}, ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: a, uid: job-NS, controller: true}]}
spec: {containers: [{name: pytorch, image: a}]}
status: {phase: Running}
`)
	}
	for name, owner := range map[string]string{"a-master-0.log": "", "other/a-master-0.log": "other", "ml_a-master-0.log": "ml", "pod-a-master-0.log": ""} {
		root := folderOf(t, map[string]string{"o.yaml": objects, name: "step: 1 loss: 2.5\n"})
		files := New([]string{root}, Options{})
		s := store.New(func() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) })
		if err := files.Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		snapshot := s.Snapshot()
		for _, job := range snapshot.Jobs() {
			if has := snapshot.RankLog(job, 0) != nil; has != (job.Ref.Namespace == owner) {
				t.Errorf("%s: %s has the log: %t", name, job.Ref, has)
			}
		}
		said := fmt.Sprint(files.Summary().LeftOut)
		if warned := strings.Contains(said, "pods of several namespaces have this name, a-master-0 (ml, other)"); warned != (owner == "") || warned != (len(snapshot.LogJobs()) == 1) {
			t.Errorf("%s: left out is %s, and %d are read by themselves", name, said, len(snapshot.LogJobs()))
		}
	}
}

func TestRanksOfOneRun(t *testing.T) {
	root := folderOf(t, map[string]string{"rank0.log": "a\n", "rank1.log": "b\n", "eval.log": "c\n"})
	s := snapshotOf(t, Options{}, root)
	var got []string
	for _, job := range s.LogJobs() {
		for i := range job.Ranks {
			got = append(got, fmt.Sprintf("%s %d %s", strings.TrimPrefix(job.Ref.Name, root+"/"), job.Ranks[i].Index, s.RankLog(job, i).Lines.At(0).Text))
		}
	}
	if diff := cmp.Diff([]string{"eval.log 0 c", "rank*.log 0 a", "rank*.log 1 b"}, got); diff != "" {
		t.Error(diff)
	}
	given := snapshotOf(t, Options{}, "7="+filepath.Join(root, "eval.log"), "2="+filepath.Join(root, "rank0.log"))
	if jobs := given.LogJobs(); len(jobs) != 1 || len(jobs[0].Ranks) != 2 || jobs[0].Ranks[0].Index != 2 || jobs[0].Ranks[1].Index != 7 {
		t.Errorf("ranks that were given: %+v", jobs)
	}
}

func TestSeveralPodsInOneFile(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[string][]string
	}{
		"kubectl logs --prefix": {
			"[pod/bert-worker-1/pytorch] step: 1\n[pod/bert-worker-0/pytorch] 2026-11-20T08:50:00.123456789Z a\n[pod/bert-worker-1/pytorch] \r 50%\rstep: 2\n",
			map[string][]string{
				"/bert-worker-1/pytorch": {"ended", "1 step: 1", "3 step: 2"},
				"/bert-worker-0/pytorch": {"ended", "2 a"},
			},
		},
		"stern": {
			"+ bert-worker-0 › pytorch\n\x1b[36mbert-worker-0\x1b[0m \x1b[33mpytorch\x1b[0m hello there\nbert-worker-0 pytorch step: 2\nbert-worker-1 pytorch \n- bert-worker-0 › pytorch\n",
			map[string][]string{
				"/bert-worker-0/pytorch": {"ended", "2 hello there", "3 step: 2"},
				"/bert-worker-1/pytorch": {"ended", "4 "},
			},
		},
		"kubectl cluster-info dump": {
			"==== START logs for container a of pod ml/x-0 ====\none\ntwo\n==== END logs for container a of pod ml/x-0 ====\n==== START logs for container b of pod ml/x-0 ====\nthree\n==== END logs for container b of pod ml/x-0 ====\n",
			map[string][]string{"ml/x-0/a": {"ended", "2 one", "3 two"}, "ml/x-0/b": {"ended", "6 three"}},
		},
		"a log that only begins alike": {
			"[pod/bert-worker-1/pytorch] step: 1\nplain\n",
			map[string][]string{"all.log": {"ended", "1 [pod/bert-worker-1/pytorch] step: 1", "2 plain"}},
		},
		"words with dashes": {
			"pre-training starts now\npre-training goes on\n",
			map[string][]string{"all.log": {"ended", "1 pre-training starts now", "2 pre-training goes on"}},
		},
	} {
		path := write(t, "all.log", c.text)
		if diff := cmp.Diff(c.want, logged(snapshotOf(t, Options{}, path), filepath.Dir(path))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// follower runs a following source in a bubble with virtual time.
type follower struct {
	t     *testing.T
	store *store.Store
	path  string
}

func follow(t *testing.T, path string, steps func(f *follower)) { followIn(t, path, path, steps) }

// followIn follows a file of the folder that the source is given.
func followIn(t *testing.T, given, path string, steps func(f *follower)) {
	synctest.Test(t, func(t *testing.T) {
		f := &follower{t: t, store: store.New(time.Now), path: path}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- New([]string{given}, Options{Follow: true, Now: time.Now}).Run(ctx, f.store) }()
		synctest.Wait()
		steps(f)
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// is lets the source poll and compares the only log with lines.
func (f *follower) is(when string, state train.StreamState, lines ...string) {
	f.t.Helper()
	time.Sleep(pollEvery + time.Millisecond)
	synctest.Wait()
	got := logged(f.store.Snapshot(), filepath.Dir(f.path))[filepath.Base(f.path)]
	if want := append([]string{string(state)}, lines...); !cmp.Equal(got, want) {
		f.t.Errorf("%s: got %q, want %q", when, got, want)
	}
}

func (f *follower) write(flags int, text string) {
	f.t.Helper()
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|flags, 0o600)
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		f.t.Fatal(err)
	}
}

func TestFollowing(t *testing.T) {
	path := write(t, "train.log", "one\ntw")
	follow(t, path, func(f *follower) {
		f.is("at first", train.StreamLive, "1 one", "2 tw")
		f.write(os.O_APPEND, "o\nthree\n")
		f.is("appended", train.StreamLive, "1 one", "2 two", "3 three")
		f.write(os.O_TRUNC, "new\n")
		f.is("truncated", train.StreamLive, "1 new")
		f.write(os.O_TRUNC, "again, and longer than before\n")
		f.is("truncated and grown beyond", train.StreamLive, "1 again, and longer than before")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		f.is("deleted", train.StreamGone, "1 again, and longer than before")
		f.write(os.O_TRUNC, "again, and longer than before\nback\n")
		f.is("another file of its name", train.StreamLive, "1 again, and longer than before", "2 back")
	})
}

// growingDisk has files that have more to read than their size shows, as those have
// that are written meanwhile.
type growingDisk struct {
	disk
	more string
}

type growingFile struct {
	*os.File
	text io.Reader
}

func (g growingDisk) Open(name string) (io.ReadCloser, error) {
	file, err := os.Open(name)
	return &growingFile{file, io.MultiReader(file, strings.NewReader(g.more))}, err
}

func (f *growingFile) Read(p []byte) (int, error) { return f.text.Read(p) }

// A file that is not followed is read to the end that it had when it was opened.
func TestALogThatGrowsHasAnEnd(t *testing.T) {
	path := write(t, "train.log", "one\ntwo\n")
	files := New([]string{path}, Options{Now: time.Now})
	files.disk = growingDisk{files.disk, strings.Repeat("and more\n", 10)}
	s := store.New(time.Now)
	if err := files.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if got, want := logged(s.Snapshot(), filepath.Dir(path))["train.log"], []string{"ended", "1 one", "2 two"}; !cmp.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
}

// A followed file stays in the folder that was given: where links lead out of it
// later on, they are named and not followed. A file given by itself may be a link
// to anywhere.
func TestFollowingLeavesNoFolder(t *testing.T) {
	const outside = "rank0.log is outside\n"
	for name, swap := range map[string]func(root, elsewhere string) error{
		"a folder becomes a link": func(root, elsewhere string) error {
			return errors.Join(os.Rename(filepath.Join(root, "sub"), filepath.Join(root, ".was")), os.Symlink(elsewhere, filepath.Join(root, "sub")))
		},
		"a file becomes a link": func(root, elsewhere string) error {
			path := filepath.Join(root, "sub", "rank0.log")
			return errors.Join(os.Remove(path), os.Symlink(filepath.Join(elsewhere, "rank0.log"), path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			root, elsewhere := folderOf(t, map[string]string{"sub/rank0.log": "one\n"}), folderOf(t, map[string]string{"rank0.log": outside})
			synctest.Test(t, func(t *testing.T) {
				s := store.New(time.Now)
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- New([]string{root}, Options{Follow: true, Now: time.Now}).Run(ctx, s) }()
				synctest.Wait()
				if err := swap(root, elsewhere); err != nil {
					t.Fatal(err)
				}
				time.Sleep(2*scanEvery*pollEvery + time.Millisecond)
				synctest.Wait()
				snap := s.Snapshot()
				if said := fmt.Sprint(logged(snap, root)); strings.Contains(said, "outside") || !strings.Contains(said, string(train.StreamFailed)) {
					t.Errorf("read %s", said)
				}
				snap.Logs(func(log *store.Log) bool {
					if text := log.Status.Text; !strings.Contains(text, "leads out of the folder") || !strings.Contains(text, elsewhere) {
						t.Errorf("it says %q", text)
					}
					return true
				})
				stop()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
	t.Run("a file by itself", func(t *testing.T) {
		path, other := write(t, "train.log", "one\n"), write(t, "other.log", "elsewhere\n")
		follow(t, path, func(f *follower) {
			f.is("at first", train.StreamLive, "1 one")
			if err := errors.Join(os.Remove(path), os.Symlink(other, path)); err != nil {
				t.Fatal(err)
			}
			f.is("a link", train.StreamLive, "1 elsewhere")
		})
	})
}

// The last lines of a file that was rotated are read too.
func TestFollowingThroughARotation(t *testing.T) {
	path := write(t, "train.log", "one\n")
	follow(t, path, func(f *follower) {
		f.is("at first", train.StreamLive, "1 one")
		f.write(os.O_APPEND, "two\n")
		if err := os.Rename(path, path+".1"); err != nil {
			t.Fatal(err)
		}
		f.write(0, "three\n")
		f.is("rotated", train.StreamLive, "1 one", "2 two")
		f.is("a look later", train.StreamLive, "1 three")
	})
}

// Rotated files in a followed folder are no new logs.
func TestRotationsInAFolder(t *testing.T) {
	root := folderOf(t, map[string]string{"rank0.log": "one\n"})
	synctest.Test(t, func(t *testing.T) {
		s := store.New(time.Now)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- New([]string{root}, Options{Follow: true}).Run(ctx, s) }()
		synctest.Wait()
		path := filepath.Join(root, "rank0.log")
		for i := range 3 {
			if err := os.Rename(path, fmt.Sprintf("%s.%d", path, i+1)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, fmt.Appendf(nil, "begun %d\n", i), 0o600); err != nil {
				t.Fatal(err)
			}
			time.Sleep((scanEvery + 1) * pollEvery)
			synctest.Wait()
		}
		if got := logged(s.Snapshot(), root); !cmp.Equal(got, map[string][]string{"rank0.log": {"live", "1 begun 2"}}) {
			t.Errorf("got %q", got)
		}
		stop()
		<-done
	})
}

// A file truncated while a program writes to it has a hole at its beginning.
func TestALogBehindAHole(t *testing.T) {
	hole := strings.Repeat("\x00", 3000)
	path := write(t, "train.log", "one\n")
	follow(t, path, func(f *follower) {
		f.is("at first", train.StreamLive, "1 one")
		f.write(os.O_TRUNC, hole+"two\n")
		f.is("behind a hole", train.StreamLive, "1 two")
		f.write(os.O_APPEND, hole+"three\n")
		f.is("and a second one", train.StreamLive, "1 two", "2 three")
	})
}

// A rewritten file of the same size and time is detected, since its end is
// compared.
func TestFollowingAFileOfTheSameSizeAndTime(t *testing.T) {
	path := write(t, "train.log", "one\n")
	at := time.Now()
	_ = os.Chtimes(path, at, at)
	follow(t, path, func(f *follower) {
		f.is("at first", train.StreamLive, "1 one")
		f.write(os.O_TRUNC, "two\n")
		_ = os.Chtimes(path, at, at)
		f.is("written anew", train.StreamLive, "1 two")
	})
}

// A UTF-16 text is followed, even if a write splits a character.
func TestFollowingUTF16(t *testing.T) {
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		encode := func(text string) string {
			mark := unicode.UTF16(order, unicode.IgnoreBOM)
			wide, err := mark.NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			return wide
		}
		path := write(t, "train.log", encode("\ufeffstep 1\nstep"))
		follow(t, path, func(f *follower) {
			f.is("at first", train.StreamLive, "1 step 1", "2 step")
			more := encode(" 2 🙂\nstep 3\n")
			f.write(os.O_APPEND, more[:7])
			f.is("inside an odd byte", train.StreamLive, "1 step 1", "2 step 2 ")
			f.write(os.O_APPEND, more[7:8])
			f.is("inside a pair", train.StreamLive, "1 step 1", "2 step 2 ")
			f.write(os.O_APPEND, more[8:])
			f.is("appended", train.StreamLive, "1 step 1", "2 step 2 🙂", "3 step 3")
			f.write(os.O_TRUNC, "now in UTF-8\n")
			f.is("written anew", train.StreamLive, "1 now in UTF-8")
		})
	}
}

// A growing compressed file is reported, since it is not followed.
func TestAPackedFileThatGrows(t *testing.T) {
	path := write(t, "train.log", "> step: 1 loss: 2\n> step: 2 loss: 1\n")
	follow(t, path, func(f *follower) {
		f.is("at first", train.StreamEnded, "1 step: 1 loss: 2", "2 step: 2 loss: 1")
		f.write(os.O_APPEND, "> step: 3 loss: 1\n")
		f.is("appended", train.StreamEnded, "1 step: 1 loss: 2", "2 step: 2 loss: 1")
		f.store.Snapshot().Logs(func(log *store.Log) bool {
			if !strings.Contains(log.Status.Text, "has changed") {
				t.Errorf("it says %q", log.Status.Text)
			}
			return true
		})
	})
}

// Lines appended while the file is followed get the current time, so that a
// log without times has a rate and a remaining time.
func TestFollowingTellsTimes(t *testing.T) {
	path := write(t, "train.log", "step 1/9 | loss 3\nstep 2/9 | loss 2\n")
	follow(t, path, func(f *follower) {
		f.is("at first", train.StreamLive, "1 step 1/9 | loss 3", "2 step 2/9 | loss 2")
		f.write(os.O_APPEND, "step 3/9 | loss 1\n")
		f.is("appended", train.StreamLive, "1 step 1/9 | loss 3", "2 step 2/9 | loss 2", "3 step 3/9 | loss 1")
		snapshot := f.store.Snapshot()
		snapshot.Logs(func(log *store.Log) bool {
			if before, after := log.Lines.At(1).Time, log.Lines.At(2).Time; !before.IsZero() || snapshot.Now.Sub(after) > 2*pollEvery {
				t.Errorf("now is %v; what was there is of %v, what came of %v", snapshot.Now, before, after)
			}
			return true
		})
	})
}

func TestFollowingAnEmptyFile(t *testing.T) {
	follow(t, write(t, "train.log", ""), func(f *follower) {
		f.is("empty", train.StreamLive)
		f.write(os.O_APPEND, "[pod/a-0/c] first\n")
		time.Sleep(pollEvery)
		synctest.Wait()
		if got := logged(f.store.Snapshot(), ""); !cmp.Equal(got["/a-0/c"], []string{"live", "1 first"}) {
			t.Errorf("got %q", got)
		}
	})
}

// A rank whose log appears later joins its run.
func TestANewRankAppears(t *testing.T) {
	root := folderOf(t, map[string]string{"rank0.log": "a\n"})
	synctest.Test(t, func(t *testing.T) {
		s := store.New(time.Now)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- New([]string{root}, Options{Follow: true}).Run(ctx, s) }()
		synctest.Wait()
		if err := os.WriteFile(filepath.Join(root, "rank1.log"), []byte("b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep((scanEvery + 1) * pollEvery)
		synctest.Wait()
		if jobs := s.Snapshot().LogJobs(); len(jobs) != 1 || len(jobs[0].Ranks) != 2 {
			t.Errorf("jobs are %+v", jobs)
		}
		stop()
		<-done
	})
}

// Standard input is read as it arrives, and its log has a name.
func TestALogOnStandardInput(t *testing.T) {
	in, out := io.Pipe()
	s := store.New(time.Now)
	done := make(chan error, 1)
	go func() { done <- New([]string{"-"}, Options{Stdin: in, Follow: true}).Run(t.Context(), s) }()
	fmt.Fprint(out, "\r 10%|#         | 1/10 [00:01<00:09, 1.00it/s, loss=2.5]")
	waitFor(t, s, func(log *store.Log) bool { return log.Lines.Len() == 1 && log.Status.State == train.StreamLive })
	fmt.Fprint(out, "\nstep: 2 loss: 2.25\n")
	waitFor(t, s, func(log *store.Log) bool { return log.Lines.Len() == 2 })
	_ = out.Close()
	waitFor(t, s, func(log *store.Log) bool { return log.Status.State == train.StreamEnded })
	if jobs := s.Snapshot().LogJobs(); len(jobs) != 1 || jobs[0].Ref.Name != stdinName {
		t.Errorf("jobs are %+v", jobs)
	}
}

// waitFor waits until the only log is as wanted.
func waitFor(t *testing.T, s *store.Store, is func(*store.Log) bool) {
	t.Helper()
	late := time.After(20 * time.Second)
	for found := false; !found; {
		s.Snapshot().Logs(func(log *store.Log) bool { found = is(log); return false })
		select {
		case <-late:
			t.Fatal("the log is never as wanted")
		case <-time.After(time.Millisecond):
		}
	}
}

// repeated returns a chunk repeatedly, up to a number of bytes.
type repeated struct {
	chunk []byte
	left  int64
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) {
		n += copy(p[n:], r.chunk)
	}
	r.left -= int64(n)
	return n, nil
}

// A log of any length is read in bounded memory; one of a gigabyte takes half
// a minute and no more memory than this.
func TestALongLogTakesBoundedMemory(t *testing.T) {
	const size = 24 << 20
	line := "[rank0]: node-1 NCCL INFO Channel 00/08 : 0[0] -> 1[1] via P2P/CUMEM/read comm 0x55d0\n"
	chunk := strings.Repeat(line, 200) + "step: 7 loss: 2.5\n"
	s := store.New(time.Now)
	s.SetLimits(store.Limits{LogBytes: 1 << 20, AllLogBytes: 2 << 20, Values: 10_000})
	before := heap()
	if err := New([]string{"-"}, Options{Stdin: &repeated{[]byte(chunk), size}}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	log := s.Snapshot().RankLog(s.Snapshot().LogJobs()[0], 0)
	dropped, _ := log.Lines.Dropped()
	if lines := dropped + int64(log.Lines.Len()); lines < int64(size/(len(line)+1)) || log.Status.State != train.StreamEnded {
		t.Errorf("%d lines of %d bytes, state %v", lines, size, log.Status)
	}
	if grown := int64(heap()) - int64(before); grown > 12<<20 {
		t.Errorf("%d MiB are held", grown>>20)
	}
	runtime.KeepAlive(s)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Dropped lines come back when more may be kept.
func TestReadAgain(t *testing.T) {
	path := write(t, "train.log", strings.Repeat("a line of the log\n", 1000))
	synctest.Test(t, func(t *testing.T) {
		s := store.New(time.Now)
		s.SetLimits(store.Limits{LogBytes: 1 << 10})
		files := New([]string{path}, Options{Follow: true})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- files.Run(ctx, s) }()
		synctest.Wait()
		log := func() *store.Log { return s.Snapshot().RankLog(s.Snapshot().LogJobs()[0], 0) }
		if kept := log().Lines.Len(); kept >= 1000 {
			t.Fatalf("%d lines are kept", kept)
		}
		s.SetLogLimit(log().ID, 1<<20)
		files.ReadAgain(log().ID)
		synctest.Wait()
		if l := log(); l.Lines.Len() != 1000 || l.Lines.At(0).Number != 1 || l.Status.State != train.StreamLive {
			t.Errorf("%d lines, %v", l.Lines.Len(), l.Status)
		}
		stop()
		<-done
	})
}

// Other formats count at once for logs that are files.
func TestLogsAreReadAgainWithOtherFormats(t *testing.T) {
	path := write(t, "train.log", "lap 1 >> q~0.5\nlap 2 >> q~0.4\n")
	patterns, err := formats.Compile([]formats.Pattern{{Name: "laps", Match: `lap (?P<step>\d+) >> q~(?P<quality>[\d.]+)`, Example: "lap 7 >> q~0.5"}})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := store.New(time.Now)
		files := New([]string{path}, Options{Follow: true})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- files.Run(ctx, s) }()
		synctest.Wait()
		log := func() *store.Log { return s.Snapshot().RankLog(s.Snapshot().LogJobs()[0], 0) }
		if n := len(log().Samples.Rows); n != 0 {
			t.Fatalf("%d samples without the format", n)
		}
		if !files.UseFormats(formats.Options{Patterns: patterns}) {
			t.Error("a file cannot be read again")
		}
		synctest.Wait()
		if l := log(); l.Lines.Len() != 2 || len(l.Samples.Rows) != 2 || l.Status.State != train.StreamLive {
			t.Errorf("%d lines, %d samples, %v", l.Lines.Len(), len(l.Samples.Rows), l.Status)
		}
		stop()
		<-done
	})
	if New([]string{"-"}, Options{}).UseFormats(formats.Options{}) {
		t.Error("standard input can be read again")
	}
}

// Logs that look like other files, and vice versa.
func TestWhatIsALog(t *testing.T) {
	smi := "| NVIDIA-SMI 550.54  Driver Version: 550.54 |\n+------+\n"
	for text, want := range map[string]content{
		"INFO start\nkind: of\nmetadata: x\n":                                 isLog,
		`{"level":"info","loss":0.5}` + "\n" + `{"level":"info"}`:             isLog,
		`{"train_loss": 0.3, "iter": 5}` + "\n":                               isLog,
		`{"step": 0, "loss": 5.0, "norm": NaN}` + "\n" + `{"step": 1}` + "\n": isLog,
		`{"apiVersion": "v1", "kind": "Pod", "x": NaN}` + "\n":                isJSON,
		"{}\n": isJSON,
		`{"log":"a\n","stream":"stdout","time":"2026-11-20T08:50:00Z"}`:        isLog,
		"Fri Nov 20 09:00:00 2026\n+------+\n" + smi + "step 1\nstep 2\n":      isLog,
		"Fri Nov 20 09:00:00 2026\n+------+\n" + smi:                           isMetrics,
		"# HELP of the program\n# TYPE x y\nnot first\n":                       isLog,
		"# TYPE x gauge\nx 1\n":                                                isMetrics,
		"epoch 1 begins now\n# TYPE x gauge\n":                                 isLog,
		"{'loss': 1}\n":                                                        isLog,
		"[2026-11-20] x\n":                                                     isLog,
		"Epoch: 1 loss: 2\nkindly\n":                                           isLog,
		"ok\x00\x01 then text goes on for a good while here\n":                 isLog,
		strings.Repeat("\x00\x01\xfe", 99):                                     isBinary,
		"# a comment\n---\napiVersion: v1\nkind: Pod\n":                        isYAML,
		"status: {}\nkind: Pod\napiVersion: v1\n":                              isYAML,
		"{\n \"kind\": \"List\"":                                               isJSON,
		`{"kind":"Pod","apiVersion":"v1"}` + "\n":                              isJSON,
		`{"type":"ADDED","object":{}}` + "\n" + `{"type":"ADDED","object":{}}`: isJSON,
	} {
		if got, what := detect([]byte(text)); got != want {
			t.Errorf("%.60q: got %d (%s), want %d", text, got, what, want)
		}
	}
}

// Dumps of PyTorch's flight recorder have no extension and are not text; each
// is the log of the rank in its name.
func TestFlightRecordsAreLogsOfRanks(t *testing.T) {
	s := snapshotOf(t, Options{}, "../flightrecord/testdata/behind")
	jobs := s.LogJobs()
	if len(jobs) != 1 || len(jobs[0].Ranks) != 4 {
		t.Fatalf("the runs are %+v", jobs)
	}
	lines := s.RankLog(jobs[0], 2).Lines
	if text := lines.At(lines.Len() - 1).Text; !strings.Contains(text, "flight record: all done, last collective 1205, at checkpoint.py:88") {
		t.Errorf("rank 2 ends with %q", text)
	}
}
