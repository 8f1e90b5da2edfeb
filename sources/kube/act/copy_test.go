package act

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/actions"
)

// box runs commands as local processes in a folder, like a container with that
// folder as its root. It lacks the programs in without; those in play are
// faked.
type box struct {
	dir     string
	without []string
	play    map[string]func(e actions.Exec) error
	ran     [][]string
}

func (b *box) Execute(ctx context.Context, e actions.Exec) error {
	b.ran = append(b.ran, e.Command)
	if slices.Contains(b.without, e.Command[0]) {
		return &actions.Failure{Kind: actions.NoProgram, Text: e.Command[0] + " is not there"}
	}
	if played := b.play[e.Command[0]]; played != nil {
		return played(e)
	}
	command := exec.CommandContext(ctx, e.Command[0], e.Command[1:]...)
	command.Dir, command.Stdin, command.Stdout, command.Stderr = b.dir, e.Stdin, e.Stdout, e.Stderr
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return &actions.Failure{Kind: actions.Cancelled, Text: "cancelled"}
	case errors.As(err, &exit):
		return &actions.ExitError{Code: exit.ExitCode()}
	}
	return err
}

// newBox returns a box and folders on both sides.
func newBox(t *testing.T) (b *box, here, there string) {
	t.Helper()
	there, here = t.TempDir(), t.TempDir()
	return &box{dir: there}, here, there
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	writeTestFile(t, name, text)
}

// tree returns the content of a folder: text of files, targets of links.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		switch {
		case err != nil || entry.IsDir():
			return err
		case entry.Type()&os.ModeSymlink != 0:
			to, _ := os.Readlink(name)
			found[rel] = "-> " + to
		default:
			text, _ := os.ReadFile(name)
			found[rel] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFoldersAreCopiedBothWays(t *testing.T) {
	want := map[string]string{
		"run/a.pt": "weights", "run/-rf": "dash", "run/deep/with space/ü": "more", "run/latest": "-> deep/with space",
		"run/" + strings.Repeat("n", 180) + ".json": "{}", "run/empty": "",
	}
	make := func(dir string) {
		for name, text := range want {
			if to, isLink := strings.CutPrefix(text, "-> "); isLink {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				continue
			}
			write(t, filepath.Join(dir, name), text)
		}
		if err := os.Symlink("/etc/passwd", filepath.Join(dir, "run/outside")); err != nil {
			t.Fatal(err)
		}
	}
	for name, up := range map[string]bool{"down": false, "up": true} {
		t.Run(name, func(t *testing.T) {
			b, here, there := newBox(t)
			from, to := there, here
			transfer := actions.Transfer{Remote: there + "/run", Local: here}
			if up {
				from, to = here, there
				transfer = actions.Transfer{Up: true, Local: here + "/run", Remote: there}
			}
			make(from)
			var last int64
			transfer.Progress = func(done, all int64) { last = done }
			done, err := Copy(t.Context(), b, transfer)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, tree(t, to)); diff != "" {
				t.Errorf("-want +copied:\n%s", diff)
			}
			if done.Files != 5 || done.Bytes != 17 || last != 17 || done.Verified != "sha256" || done.Path != to+"/run" {
				t.Errorf("it says %+v, and progress of %d bytes", done, last)
			}
			if len(done.Skipped) != 1 || !strings.Contains(done.Skipped[0], "outside") {
				t.Errorf("skipped: %q, want the link that leads out", done.Skipped)
			}
		})
	}
}

func TestAFileIsCopiedByWhatTheContainerHas(t *testing.T) {
	for _, one := range []struct {
		name     string
		without  []string
		verified string
	}{
		{"tar", nil, "sha256"},
		{"neither test nor sums", []string{"test", "sha256sum"}, ""},
	} {
		t.Run(one.name, func(t *testing.T) {
			b, here, there := newBox(t)
			b.without = one.without
			write(t, there+"/-core.1", "dumped")
			done, err := Copy(t.Context(), b, actions.Transfer{Remote: "-core.1", Local: here})
			if err != nil || done.Verified != one.verified || done.Files != 1 || done.Bytes != 6 {
				t.Errorf("down: %+v, %v", done, err)
			}
			if text, _ := os.ReadFile(here + "/-core.1"); string(text) != "dumped" {
				t.Errorf("down: %q came", text)
			}
			done, err = Copy(t.Context(), b, actions.Transfer{Up: true, Local: here + "/-core.1", Remote: "-other"})
			if err != nil || done.Verified != one.verified || done.Files != 1 || done.Bytes != 6 {
				t.Errorf("up: %+v, %v", done, err)
			}
			if text, _ := os.ReadFile(there + "/-other"); string(text) != "dumped" {
				t.Errorf("up: %q came", text)
			}
		})
	}
	b, here, there := newBox(t)
	write(t, here+"/a; touch b", "text")
	if _, err := Copy(t.Context(), b, actions.Transfer{Up: true, Local: here + "/a; touch b", Remote: there}); err != nil {
		t.Errorf("a name with a command in it: %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a; touch b": "text"}, tree(t, there)); diff != "" {
		t.Errorf("a name with a command in it: %s", diff)
	}
}

// A link at the requested path is followed.
func TestALinkThatIsAskedForIsFollowed(t *testing.T) {
	b, here, there := newBox(t)
	write(t, there+"/step-100/a.pt", "weights")
	_ = os.Symlink("step-100", there+"/latest")
	_ = os.Symlink("step-100/a.pt", there+"/a")
	for _, remote := range []string{there + "/latest", there + "/a"} {
		if _, err := Copy(t.Context(), b, actions.Transfer{Remote: remote, Local: here}); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(map[string]string{"latest/a.pt": "weights", "a": "weights"}, tree(t, here)); diff != "" {
		t.Errorf("-want +copied:\n%s", diff)
	}
}

// archive writes archives that a container's tar would not.
func archive(headers ...tar.Header) func(actions.Exec) error {
	return func(e actions.Exec) error {
		to := tar.NewWriter(e.Stdout)
		for _, header := range headers {
			if header.Typeflag == tar.TypeReg {
				header.Size = 4
			}
			header.Mode = 0o6755
			if err := to.WriteHeader(&header); err != nil {
				return err
			}
			if header.Typeflag == tar.TypeReg {
				if _, err := to.Write([]byte("evil")); err != nil {
					return err
				}
			}
		}
		return to.Close()
	}
}

func TestNoArchiveWritesOutsideOfItsFolder(t *testing.T) {
	b, here, _ := newBox(t)
	outside := t.TempDir()
	write(t, outside+"/kept", "kept")
	b.play = map[string]func(actions.Exec) error{
		"test": func(actions.Exec) error { return nil },
		"tar": archive(
			tar.Header{Name: "./good", Typeflag: tar.TypeReg},
			tar.Header{Name: "../up", Typeflag: tar.TypeReg},
			tar.Header{Name: "./a/../../up", Typeflag: tar.TypeReg},
			tar.Header{Name: outside + "/absolute", Typeflag: tar.TypeReg},
			tar.Header{Name: "./absolute", Typeflag: tar.TypeSymlink, Linkname: outside},
			tar.Header{Name: "./relative", Typeflag: tar.TypeSymlink, Linkname: "../../" + filepath.Base(outside)},
			tar.Header{Name: ".", Typeflag: tar.TypeSymlink, Linkname: outside},
			tar.Header{Name: "./hard", Typeflag: tar.TypeLink, Linkname: outside + "/kept"},
			tar.Header{Name: "./pipe", Typeflag: tar.TypeFifo},
			tar.Header{Name: "./disk", Typeflag: tar.TypeBlock},
			tar.Header{Name: "./inner", Typeflag: tar.TypeSymlink, Linkname: "good"},
			tar.Header{Name: "./inner", Typeflag: tar.TypeReg},
		),
	}
	b.without = []string{"sha256sum"}
	write(t, here+"/run/first", "")
	done, err := Copy(t.Context(), b, actions.Transfer{Remote: "/run", Local: here, Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"run/good": "evil", "run/inner": "evil", "run/first": ""}, tree(t, here)); diff != "" {
		t.Errorf("-want +copied:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"kept": "kept"}, tree(t, outside)); diff != "" {
		t.Errorf("outside: %s", diff)
	}
	if len(done.Skipped) != 9 {
		t.Errorf("skipped: %q", done.Skipped)
	}
	if info, err := os.Stat(here + "/run/good"); err != nil || info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
		t.Errorf("its mode is %v", info.Mode())
	}
}

// An existing local link does not lead out either.
func TestALinkHereLeadsNowhere(t *testing.T) {
	b, here, _ := newBox(t)
	outside := t.TempDir()
	b.play = map[string]func(actions.Exec) error{
		"test": func(actions.Exec) error { return nil },
		"tar":  archive(tar.Header{Name: "./sub/file", Typeflag: tar.TypeReg}),
	}
	_ = os.Mkdir(here+"/run", 0o755)
	_ = os.Symlink(outside, here+"/run/sub")
	done, err := Copy(t.Context(), b, actions.Transfer{Remote: "/run", Local: here, Overwrite: true})
	if err != nil || done.Files != 0 || len(done.Skipped) != 1 || !strings.Contains(done.Skipped[0], "which is a link here") {
		t.Errorf("%+v, %v", done, err)
	}
	if found := tree(t, outside); len(found) > 0 {
		t.Errorf("written outside: %v", found)
	}
}

func TestWhatIsIncompleteIsRemoved(t *testing.T) {
	cut := func(e actions.Exec) error {
		var whole bytes.Buffer
		to := tar.NewWriter(&whole)
		_ = to.WriteHeader(&tar.Header{Name: "./model.pt", Typeflag: tar.TypeReg, Size: 1 << 20, Mode: 0o644})
		_, _ = to.Write(make([]byte, 1<<19))
		_, _ = e.Stdout.Write(whole.Bytes())
		return &actions.Failure{Kind: actions.Lost, Text: "the connection broke"}
	}
	b, here, there := newBox(t)
	b.play = map[string]func(actions.Exec) error{"tar": cut}
	write(t, there+"/model.pt", "new")
	write(t, here+"/model.pt", "old")
	_, err := Copy(t.Context(), b, actions.Transfer{Remote: there + "/model.pt", Local: here, Overwrite: true})
	var failed *actions.Failure
	if !errors.As(err, &failed) || failed.Kind != actions.Lost || !strings.Contains(failed.Text, "the connection broke") {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(map[string]string{"model.pt": "old"}, tree(t, here)); diff != "" {
		t.Errorf("here: %s", diff)
	}

	b.play["tar"] = func(e actions.Exec) error {
		writeTestFile(t, there+"/up.pt", "half")
		_, _ = io.CopyN(io.Discard, e.Stdin, 600)
		return &actions.Failure{Kind: actions.Lost, Text: "the connection broke"}
	}
	write(t, here+"/up.pt", strings.Repeat("x", 1<<20))
	_, err = Copy(t.Context(), b, actions.Transfer{Up: true, Local: here + "/up.pt", Remote: there})
	if !errors.As(err, &failed) || failed.Kind != actions.Lost || !strings.Contains(failed.Text, "is removed from the container") {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(map[string]string{"model.pt": "new"}, tree(t, there)); diff != "" {
		t.Errorf("there: %s", diff)
	}
}

func TestADamagedCopyIsNotKept(t *testing.T) {
	b, here, there := newBox(t)
	write(t, there+"/a", "good")
	b.play = map[string]func(actions.Exec) error{
		"tar": archive(tar.Header{Name: "./a", Typeflag: tar.TypeReg}),
	}
	_, err := Copy(t.Context(), b, actions.Transfer{Remote: there + "/a", Local: here})
	if err == nil || !strings.Contains(err.Error(), "not the same here and there") {
		t.Errorf("the error is %v", err)
	}
	if found := tree(t, here); len(found) > 0 {
		t.Errorf("kept: %v", found)
	}
}

func TestCopiesThatCannotBeSayWhy(t *testing.T) {
	b, here, there := newBox(t)
	write(t, here+"/old", "old")
	write(t, there+"/old", "new")
	write(t, there+"/folder/x", "x")
	for _, one := range []struct {
		transfer actions.Transfer
		without  []string
		kind     actions.FailureKind
		want     string
	}{
		{actions.Transfer{Remote: there + "/old", Local: here}, nil, actions.Exists, "old is here already"},
		{actions.Transfer{Up: true, Local: here + "/old", Remote: there}, nil, actions.Exists, "old is in the container already"},
		{actions.Transfer{Remote: there + "/none", Local: here}, nil, actions.Other, "No such file"},
		{actions.Transfer{Remote: there + "/folder", Local: here}, []string{"tar"}, actions.NoProgram, "the container has no tar"},
		{actions.Transfer{Up: true, Local: here + "/old", Remote: there + "/new"}, []string{"tar"}, actions.NoProgram, "the container has no tar"},
		{actions.Transfer{Up: true, Local: here + "/none", Remote: there}, nil, actions.Other, "no such file"},
		{actions.Transfer{Up: true, Local: here + "/old", Remote: there + "/none/"}, nil, actions.Invalid, "is no folder in the container"},
		{actions.Transfer{Up: true, Local: here + "/old", Remote: there + "/none/deeper"}, nil, actions.Other, "the container's tar says"},
		{actions.Transfer{Remote: there + "/old", Local: here + "/none/"}, nil, actions.Invalid, "is no folder here"},
		{actions.Transfer{Remote: "/a/..\x00", Local: here}, nil, actions.Invalid, "zero byte"},
		{actions.Transfer{Remote: "..", Local: here}, nil, actions.Invalid, "ends in .."},
	} {
		b.without = one.without
		one.transfer.Container = actions.Container{Namespace: "ml", Pod: "w-0"}
		_, err := Copy(t.Context(), b, one.transfer)
		var failed *actions.Failure
		if !errors.As(err, &failed) || failed.Kind != one.kind || !strings.Contains(failed.Text, one.want) || !strings.HasPrefix(failed.Text, "copying ") {
			t.Errorf("%+v:\n got %v\nwant %s: %s", one.transfer, err, one.kind, one.want)
		}
	}
	if diff := cmp.Diff(map[string]string{"old": "old"}, tree(t, here)); diff != "" {
		t.Errorf("here: %s", diff)
	}
}

// The local disk is full: /dev/full fails every write.
func TestAFullDiskSaysSo(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this machine has no /dev/full")
	}
	defer full.Close()
	_, writeErr := full.Write([]byte("x"))
	failed := copyFailure(t.Context(), actions.Transfer{Remote: "/a"}, writeErr)
	if !strings.Contains(failed.Text, "no space left here") || !strings.Contains(failed.Text, "is removed") {
		t.Errorf("it says %s", failed.Text)
	}
}

func TestACancelledCopyLeavesNothing(t *testing.T) {
	b, here, there := newBox(t)
	write(t, there+"/big", strings.Repeat("x", 8<<20))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Copy(ctx, b, actions.Transfer{Remote: there + "/big", Local: here, Progress: func(done, all int64) {
		if all != 8<<20 {
			t.Errorf("of %d bytes", all)
		}
		cancel()
	}})
	var failed *actions.Failure
	if !errors.As(err, &failed) || failed.Kind != actions.Cancelled {
		t.Errorf("the error is %v", err)
	}
	if found := tree(t, here); len(found) > 0 {
		t.Errorf("left: %d files", len(found))
	}
}

// Whatever the archive, nothing is written outside of the folder, and no
// incomplete file stays.
func FuzzArchives(f *testing.F) {
	seed := func(headers ...tar.Header) {
		var text bytes.Buffer
		_ = archive(headers...)(actions.Exec{Stdout: &text})
		f.Add(text.Bytes())
	}
	seed(tar.Header{Name: "./a/b", Typeflag: tar.TypeReg}, tar.Header{Name: "../c", Typeflag: tar.TypeReg})
	seed(tar.Header{Name: "./l", Typeflag: tar.TypeSymlink, Linkname: ".."}, tar.Header{Name: "./l/x", Typeflag: tar.TypeReg})
	seed(aFolder("./"), aFolder("./d"), aLink("./l", "d"), aLink("./d/up", "../l/.."), aLink("./x", "l/../.."))
	f.Fuzz(func(t *testing.T, text []byte) {
		around := t.TempDir()
		here := filepath.Join(around, "here")
		_ = os.Mkdir(here, 0o755)
		b := &box{without: []string{"sha256sum"}, play: map[string]func(actions.Exec) error{
			"test": func(actions.Exec) error { return nil },
			"tar":  func(e actions.Exec) error { _, _ = e.Stdout.Write(text); return nil },
		}}
		_, _ = Copy(t.Context(), b, actions.Transfer{Remote: "/run", Local: here})
		for name := range tree(t, around) {
			if !strings.HasPrefix(name, "here/run") || strings.Contains(name, ".part-") {
				t.Errorf("it wrote %q", name)
			}
		}
		if info, err := os.Lstat(here + "/run"); err == nil && info.IsDir() {
			noLinkLeadsOut(t, here+"/run", false)
		}
	})
}

// Memory does not grow with the size of the copy.
func BenchmarkCopyDown100MB(b *testing.B) {
	there, here := b.TempDir(), b.TempDir()
	if err := os.WriteFile(there+"/model", make([]byte, 100<<20), 0o600); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(100 << 20)
	for b.Loop() {
		if _, err := Copy(b.Context(), &box{dir: there}, actions.Transfer{Remote: there + "/model", Local: here, Overwrite: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func writeTestFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
