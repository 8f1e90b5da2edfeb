package recording_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// holdsFor is set to the recording's path when the test binary runs as the
// other process of a test.
const holdsFor = "TRAINTOP_TEST_RECORDS_INTO"

func TestMain(m *testing.M) {
	if path := os.Getenv(holdsFor); path != "" {
		recordAsAnotherProcess(path)
	}
	os.Exit(m.Run())
}

// recordAsAnotherProcess records a line every few milliseconds until it is
// killed, and prints the recording's trouble with the disk.
func recordAsAnotherProcess(path string) {
	w, err := recording.Create(path, recording.Options{
		Now: time.Now, Flush: 20 * time.Millisecond, About: recording.About{Logs: recording.LogsAll},
		Trouble: func(text string) { fmt.Printf("disk: %s\n", text) },
	})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("recording")
	for i := int64(1); ; i++ {
		w.Apply(store.Logged{Stream: train.StreamID{Pod: "p"}, Lines: []train.LogLine{{Number: i, Text: fmt.Sprintf("line %d %x", i, uint64(i)*0x9e3779b97f4a7c15)}}})
		time.Sleep(2 * time.Millisecond)
	}
}

// anotherRecorder starts a process that records into a file, and returns once
// it does; said delivers what it prints later.
func anotherRecorder(t *testing.T, path string) (command *exec.Cmd, said *bufio.Scanner) {
	t.Helper()
	command = exec.Command(os.Args[0])
	command.Env = append(os.Environ(), holdsFor+"="+path)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	if said = bufio.NewScanner(out); !said.Scan() || said.Text() != "recording" {
		t.Fatalf("the other process says %q (%v)", said.Text(), said.Err())
	}
	return command, said
}

func TestTwoProcessesDoNotWriteOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	other, _ := anotherRecorder(t, path)
	_, err := recording.Create(path, recording.Options{Now: time.Now})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d", other.Process.Pid)) || !strings.Contains(err.Error(), "record into another file") {
		t.Errorf("while process %d records: %v", other.Process.Pid, err)
	}
	hard := filepath.Join(filepath.Dir(path), "hard.ttrec")
	if err := os.Link(path, hard); err != nil {
		t.Fatal(err)
	}
	if _, err := recording.Create(hard, recording.Options{Now: time.Now}); err == nil || !strings.Contains(err.Error(), "another name") {
		t.Errorf("the same file by a hard link: %v", err)
	}
	if f, err := recording.Open(path); err != nil || !f.Info().Growing {
		t.Errorf("while it is written: %+v, %v", f.Info(), err)
	}
	link := filepath.Join(filepath.Dir(path), "link.ttrec")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := recording.Create(link, recording.Options{Now: time.Now}); err == nil {
		t.Error("the same file under another name is written twice")
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // it was killed
	w, err := recording.Create(path, recording.Options{Now: time.Now})
	if err != nil {
		t.Fatalf("after kill -9 of the other: %v", err)
	}
	if _, err := recording.Create(path, recording.Options{Now: time.Now}); err == nil {
		t.Error("one process writes the file twice")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.lock"))
	if err != nil || len(left) > 0 {
		t.Errorf("beside a recording that was closed: %v (%v)", left, err)
	}
}

func TestAFolderThatIsNotThereIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "a.ttrec")
	_, err := recording.Create(path, recording.Options{Now: time.Now})
	if err == nil || !strings.Contains(err.Error(), "writing "+path+": its folder does not exist") {
		t.Errorf("%q", err)
	}
}

func TestTheLockFileOfAnybodyIsNotPrinted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ttrec")
	anotherRecorder(t, path)
	if err := os.WriteFile(path+".lock", []byte("\x00process 1 on \x1b]0;mine\a"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := recording.Create(path, recording.Options{Now: time.Now})
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\a") || !strings.Contains(err.Error(), "another process") {
		t.Errorf("%q", err)
	}
}

// TestAFileThatIsNoLockStays: names that end in .lock belong to other programs
// too, and a symbolic link may point anywhere.
func TestAFileThatIsNoLockStays(t *testing.T) {
	folder := t.TempDir()
	path, target := filepath.Join(folder, "a.ttrec"), filepath.Join(folder, "notes.txt")
	for _, text := range []string{"dependencies: none\n", "process 12 on my notes", "\x00process 12\n", ""} {
		for _, link := range []bool{false, true} {
			if text == "" && !link {
				continue // an empty file is a lock that nobody signed
			}
			written := path + ".lock"
			if link {
				written = target
				if err := os.Symlink(target, path+".lock"); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(written, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			w, err := recording.Create(path, recording.Options{Now: time.Now})
			if err == nil {
				_ = w.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "is not a lock") {
				t.Errorf("%q, link %v: %v", text, link, err)
			}
			if left, err := os.ReadFile(written); err != nil || string(left) != text {
				t.Errorf("%q, link %v, became %q (%v)", text, link, left, err)
			}
			if err := os.Remove(path + ".lock"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestNothingIsRecordedThroughALinkWithoutATarget(t *testing.T) {
	folder := t.TempDir()
	path, target := filepath.Join(folder, "a.ttrec"), filepath.Join(folder, "elsewhere")
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	if w, err := recording.Create(path, recording.Options{Now: time.Now}); err == nil {
		_ = w.Close()
		t.Error("it is recorded")
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("the target was created")
	}
}
