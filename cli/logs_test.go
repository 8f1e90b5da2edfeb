package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/sources/recording"
)

// podLogs writes logs beside testdata/pending.yaml, named by its pods, and
// returns the arguments that read both.
func podLogs(t *testing.T, logs map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range logs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"--from", "testdata/pending.yaml", "--from", dir}
}

var twoRanks = map[string]string{
	"llama-70b-master-0.log": "2026-11-20T09:30:00.000000001Z master starts\n2026-11-20T09:30:02.000000001Z \x1b[32mstep 1\x1b[0m loss 2.3\n2026-11-20T09:30:04.000000001Z step 2 loss 2.2\n",
	"llama-70b-worker-0.log": "2026-11-20T09:30:01.000000001Z worker starts\n2026-11-20T09:30:03.000000001Z WARNING slow\n2026-11-20T09:30:05.000000001Z worker ends\n",
}

func TestLogsOfFilesAreMergedByTime(t *testing.T) {
	all := []string{
		"[0] master starts", "[1] worker starts", "[0] step 1 loss 2.3", "[1] WARNING slow", "[0] step 2 loss 2.2", "[1] worker ends",
	}
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"all", nil, all},
		{"a rank", []string{"--ranks", "1"}, []string{all[1], all[3], all[5]}},
		{"ranks", []string{"--ranks", "0-1,7"}, all},
		{"tail", []string{"--tail", "1"}, []string{all[4], all[5]}},
		{"tail of what is found", []string{"--tail", "1", "--grep", "start|step"}, []string{all[1], all[4]}},
		{"tail of what is left", []string{"--tail", "1", "--exclude", "ends|step 2"}, []string{all[2], all[3]}},
		{"no lines", []string{"--tail", "0"}, nil},
		{"since", []string{"--since-time", "2026-11-20T09:30:04Z"}, all[4:]},
		{"grep", []string{"--grep", "step|ends"}, []string{all[2], all[4], all[5]}},
		{"grep in any case", []string{"--grep", "warning", "-i"}, []string{all[3]}},
		{"around", []string{"--grep", "WARNING", "-C", "1"}, []string{all[1], all[3], all[5]}},
		{"exclude", []string{"--exclude", "step", "--exclude", "WARN"}, []string{all[0], all[1], all[5]}},
		{"colours", []string{"--color", "always", "--tail", "2", "--ranks", "0"}, []string{"\x1b[31m[0]\x1b[0m \x1b[32mstep 1\x1b[0m loss 2.3\x1b[0m", "\x1b[31m[0]\x1b[0m step 2 loss 2.2"}},
		{"bare", []string{"--no-prefix", "--timestamps", "--ranks", "1", "--tail", "1"}, []string{"2026-11-20T09:30:05.000000001Z worker ends"}},
	} {
		args := append(append([]string{"logs", "llama-70b"}, c.args...), podLogs(t, twoRanks)...)
		out, messages, code := command(t, "", args...)
		want := strings.Join(c.want, "\n")
		if len(c.want) > 0 {
			want += "\n"
		}
		if out != want || code != exitDone {
			t.Errorf("%s: exit %d\n%s%s\nwant\n%s", c.name, code, out, messages, want)
		}
	}
	_, messages, _ := command(t, "", append([]string{"logs", "llama-70b"}, podLogs(t, twoRanks)...)...)
	if !strings.Contains(messages, "[2] no log of this rank") {
		t.Errorf("nothing is said of ranks without a log: %q", messages)
	}
}

func TestLogsMistakes(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--ranks", "3-1"}, exitUsage, "3-1"},
		{[]string{"--ranks", "9"}, exitFailed, "no rank 9; the ranks are 0-3"},
		{[]string{"--grep", "("}, exitUsage, "no regular expression"},
		{[]string{"-C", "2"}, exitUsage, "--grep"},
		{[]string{"-f", "-p"}, exitUsage, "one of the two"},
		{[]string{"--since", "10m", "--since-time", "2026-11-20T09:30:00Z"}, exitUsage, "one of the two"},
		{[]string{"--since-time", "yesterday"}, exitUsage, "yesterday"},
		{[]string{"--tail", "-2"}, exitUsage, "-2"},
		{[]string{"--color", "blue"}, exitUsage, "blue"},
		{[]string{"--window", "1h"}, exitUsage, "1h"},
		{[]string{"another"}, exitUsage, "one job"},
		{[]string{"-p"}, exitFailed, "[0] there is no life of the container before the newest one"},
		{[]string{"-p"}, exitFailed, "no logs of earlier container instances"},
	} {
		args := append(append([]string{"logs", "llama-70b"}, c.args...), podLogs(t, twoRanks)...)
		if out, messages, code := command(t, "", args...); code != c.code || out != "" || !strings.Contains(messages, c.want) {
			t.Errorf("%v: exit %d %q %q, want exit %d and %q", c.args, code, out, messages, c.code, c.want)
		}
	}
	if _, messages, code := command(t, "", append([]string{"logs", "nobody"}, podLogs(t, twoRanks)...)...); code != exitFailed || !strings.Contains(messages, `"nobody"`) {
		t.Errorf("exit %d: %q", code, messages)
	}
}

// Lines without times are printed, and that is reported.
func TestSinceOfLinesWithoutTimes(t *testing.T) {
	folder := logsIn(t, map[string]string{"rank0.log": "one\ntwo\n", "rank1.log": "2026-11-20T08:50:00Z old\n2026-11-20T09:50:00Z new\n"})
	out, messages, code := command(t, "", "logs", "--from", folder, "--since", "5m")
	if code != exitDone || !strings.Contains(out, "[0] two") || !strings.Contains(out, "new") || strings.Contains(out, "old") || !strings.Contains(messages, "[0] its lines have no times") || strings.Contains(messages, "[1]") {
		t.Errorf("exit %d: %q %q", code, out, messages)
	}
}

// A chosen rank, container or file that cannot be had is named, beside the lines printed.
func TestLogsNameWhatIsNotThere(t *testing.T) {
	folder := logsIn(t, map[string]string{
		"rank0.log": "one\n", "other.log": "two\n",
		"dump.txt": "==== START logs for container pytorch of pod llm/llama-70b-master-0 ====\nthree\n==== END logs for container pytorch of pod llm/llama-70b-master-0 ====\n",
	})
	file := filepath.Join(folder, "rank0.log")
	for _, c := range []struct {
		args []string
		code int
		out  string
		want string
	}{
		{append([]string{"llama-70b", "--ranks", "0,9", "--tail", "0"}, podLogs(t, twoRanks)...), exitDone, "", "there is no rank 9; the ranks are 0-3"},
		{[]string{"llama-70b", "-c", "nosuch", "--from", "testdata/pending.yaml", "--from", filepath.Join(folder, "dump.txt")}, exitFailed, "", `no log of container "nosuch" is among the files; there are those of pytorch`},
		{[]string{"-c", "nosuch", "--from", file}, exitDone, "[0] one\n", `this file does not say which container wrote it, so it is printed although -c asks for "nosuch"`},
		{[]string{"--from", "3=" + file, "--from", "3=" + filepath.Join(folder, "other.log")}, exitDone, "[3] one\n", "rank 3 was given before"},
	} {
		if out, messages, code := command(t, "", append([]string{"logs"}, c.args...)...); code != c.code || out != c.out || !strings.Contains(messages, c.want) {
			t.Errorf("%v: exit %d %q %q, want exit %d, %q and %q", c.args, code, out, messages, c.code, c.out, c.want)
		}
	}
}

// Containers that ran and whose logs are not there are named where all are asked for.
func TestAllContainersNameThoseWithoutLog(t *testing.T) {
	folder := logsIn(t, map[string]string{"objects.yaml": twoContainers, "bert-abcde_train.log": "one\n"})
	now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := recording.Create(path, recording.Options{Now: func() time.Time { return now }, Flush: time.Hour, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	if err := dump.New([]string{folder}, dump.Options{}).Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "[0] of these containers no log is among the files: shipper, debugger-x7k2p"
	for _, from := range []string{folder, path} {
		for args, names := range map[string]bool{"--all-containers": true, "": false, "-c train": false} {
			out, messages, code := command(t, "", append(strings.Fields("logs bert "+args), "--from", from)...)
			if code != exitDone || !strings.Contains(out, " one\n") || strings.Contains(messages, want) != names {
				t.Errorf("%s %s: exit %d, %q, %q", args, from, code, out, messages)
			}
			if recorded := strings.Contains(messages, "a recording has that of the container that trains"); recorded != (names && from == path) {
				t.Errorf("%s %s: %q", args, from, messages)
			}
		}
	}
}

// TestLogsOfABareFile needs no job's name and no times.
func TestLogsOfABareFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(file, []byte("one\n10%\r100%\nlast"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, messages, code := command(t, "", "logs", "--from", file)
	if out != "[0] one\n[0] 100%\n[0] last\n" || code != exitDone {
		t.Errorf("exit %d: %q %s", code, out, messages)
	}
}

// Of a log from last year the last minutes are those before its end.
func TestSinceCountsBackFromTheEndOfABareFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "train.log")
	text := "2025-03-01 09:00:00,000 one\n2025-03-01 09:10:00,000 two\n2025-03-01 09:12:00,000 three\nlast\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, messages, code := command(t, "", "logs", "--from", file, "--since", "5m", "--no-prefix")
	if want := text[strings.Index(text, "2025-03-01 09:10"):]; out != want || code != exitDone {
		t.Errorf("exit %d: %q, want %q; %s", code, out, want, messages)
	}
}

// TestLogsFollowsFiles prints lines that are added to a file, and ends with
// ctrl-c as if all were well.
// TestLogsFollowsTheEndOfALongFile: the last lines are those of the whole file, which is
// read in parts.
func TestLogsFollowsTheEndOfALongFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "train.log")
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "step %d loss 0.5\n", i)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var out, messages lockedBuffer
	a := &app{in: strings.NewReader(""), out: &out, err: &messages, clock: time.Now}
	done := make(chan int)
	go func() { done <- a.run(ctx, []string{"logs", "-f", "--no-prefix", "--tail", "2", "--from", file}) }()
	out.waitFor(t, "step 99998 loss 0.5\nstep 99999 loss 0.5\n")
	cancel()
	if code := <-done; code != exitDone {
		t.Errorf("ctrl-c makes it exit with %d: %s", code, messages.String())
	}
}

func TestLogsFollowsFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "train.log")
	appendTo := func(text string) {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
			_ = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	appendTo("one\ntwo\n")
	ctx, cancel := context.WithCancel(t.Context())
	var out, messages lockedBuffer
	a := &app{in: strings.NewReader(""), out: &out, err: &messages, clock: time.Now}
	done := make(chan int)
	go func() { done <- a.run(ctx, []string{"logs", "-f", "--no-prefix", "--window", "50ms", "--from", file}) }()
	out.waitFor(t, "one\ntwo\n")
	appendTo("three\n")
	out.waitFor(t, "one\ntwo\nthree\n")
	appendTo("four")
	out.waitFor(t, "one\ntwo\nthree\nfour\n")
	if err := os.WriteFile(file, []byte("a\nb\nc\nd\nlonger than before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out.waitFor(t, "one\ntwo\nthree\nfour\na\nb\nc\nd\nlonger than before\n")
	cancel()
	if code := <-done; code != exitDone {
		t.Errorf("ctrl-c makes it exit with %d: %s", code, messages.String())
	}
	if said := messages.String(); strings.Count(said, "emptied or replaced") != 1 {
		t.Errorf("it says %q", said)
	}
}

// A program that has just started has written nothing: its log is followed all the same. A
// folder without files ends at once, and promises nothing.
func TestLogsFollowsAFileThatIsEmptyAtFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var out, messages lockedBuffer
	a := &app{in: strings.NewReader(""), out: &out, err: &messages, clock: time.Now}
	done := make(chan int)
	go func() { done <- a.run(ctx, []string{"logs", "-f", "--no-prefix", "--window", "50ms", "--from", file}) }()
	time.Sleep(20 * time.Millisecond)
	if err := os.WriteFile(file, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out.waitFor(t, "one\n")
	cancel()
	if code := <-done; code != exitDone || messages.String() != "" {
		t.Errorf("exit %d: %q", code, messages.String())
	}
	if _, said, code := command(t, "", "logs", "-f", "--from", t.TempDir()); code != exitFailed || strings.Contains(said, "as files come") {
		t.Errorf("of an empty folder: exit %d, %s", code, said)
	}
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *lockedBuffer) waitFor(t *testing.T, text string) {
	t.Helper()
	for late := time.Now().Add(20 * time.Second); b.String() != text; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("printed %q, want %q", b.String(), text)
		}
	}
}

// TestLogsEndsWithItsReader: a pipe into head gets no error message.
func TestLogsEndsWithItsReader(t *testing.T) {
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintln(&many, "line", i)
	}
	file := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(file, []byte(many.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = reader.Close()
	var messages bytes.Buffer
	a := &app{in: strings.NewReader(""), out: writer, err: &messages, clock: time.Now}
	code := a.run(t.Context(), []string{"logs", "--from", file})
	said := strings.ReplaceAll(messages.String(), "traintop: file "+file+": reading\n", "") // a slow machine prints it
	if code != exitDone || said != "" {
		t.Errorf("exit %d: %s", code, said)
	}
}

// Of a long log the last lines are kept, without a note about those before.
func TestTheLastLinesOfALongLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.log")
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "line %d %0100d\n", i, 0)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, messages, code := command(t, "", "logs", "--from", path, "--tail", "2", "--no-prefix")
	if want := fmt.Sprintf("line 99998 %0100d\nline 99999 %0100d\n", 0, 0); out != want || messages != "" || code != exitDone {
		t.Errorf("%d: %q, %q", code, out, messages)
	}
}

// With --tail the lines that are found are counted, and not those around them.
func TestTheLastMatchesKeepTheLinesAroundThem(t *testing.T) {
	var text strings.Builder
	for n := range 40 {
		fmt.Fprintf(&text, "step %d loss 2\n", n)
		if n%10 == 9 {
			fmt.Fprintf(&text, "ERROR %d\n", n)
		}
	}
	path := filepath.Join(t.TempDir(), "a.log")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for around, want := range map[string]string{
		"0": "ERROR 29 ERROR 39 ",
		"1": "step 29 loss 2 ERROR 29 step 30 loss 2 step 39 loss 2 ERROR 39 ",
		// the lines after one match that was dropped are before the next one
		"9": "step 21 loss 2 step 22 loss 2 step 23 loss 2 step 24 loss 2 step 25 loss 2 step 26 loss 2 step 27 loss 2 step 28 loss 2 step 29 loss 2 ERROR 29 " +
			"step 30 loss 2 step 31 loss 2 step 32 loss 2 step 33 loss 2 step 34 loss 2 step 35 loss 2 step 36 loss 2 step 37 loss 2 step 38 loss 2 step 39 loss 2 ERROR 39 ",
	} {
		out, messages, code := command(t, "", "logs", "--from", path, "--no-prefix", "--grep", "ERROR", "-C", around, "--tail", "2")
		if got := strings.ReplaceAll(out, "\n", " "); code != exitDone || got != want {
			t.Errorf("-C %s: exit %d, %q, want %q, %s", around, code, got, want, messages)
		}
	}
}

// Text that --grep cannot see, since it is behind the first 64 KiB of a line, is reported, once,
// and only of the ranks that are asked for.
func TestGrepSaysWhatItDidNotSearch(t *testing.T) {
	long := strings.Repeat("x", 70_000) + " CUDA error\n"
	logs := map[string]string{
		"llama-70b-master-0.log": "step 1 loss 2.3\n" + long + "step 2 loss 2.2\n",
		"llama-70b-worker-0.log": long,
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--grep", "CUDA", "--ranks", "0"}, "found nothing in what is kept: 1; bytes of them that were not searched: 44"},
		{[]string{"--grep", "step 2", "-C", "1", "--ranks", "0"}, "found nothing in what is kept: 1;"},
		{[]string{"--grep", "CUDA"}, "found nothing in what is kept: 2;"},
		{[]string{"--grep", "xxx"}, ""},
		{[]string{"--grep", "CUDA", "--exclude", "xxx"}, ""},
		{[]string{"--exclude", "step"}, ""},
	} {
		args := append(append([]string{"logs", "llama-70b"}, c.args...), podLogs(t, logs)...)
		_, messages, code := command(t, "", args...)
		if said := strings.Contains(messages, "not searched"); code != 0 || said != (c.want != "") || !strings.Contains(messages, c.want) {
			t.Errorf("%v: exit code %d, it says %q", c.args, code, messages)
		}
	}
}
