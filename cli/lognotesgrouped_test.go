package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A note that many logs share is printed once, with their number.
func TestNotesOfManyLogsAreGrouped(t *testing.T) {
	var cut bytes.Buffer
	w := gzip.NewWriter(&cut)
	fmt.Fprintln(w, "step: 1 loss: 2.5")
	_ = w.Flush() // and never closed
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("rank%d.log.gz", i)] = cut.String()
	}
	folder := logsIn(t, files)
	for _, of := range []string{"logs", "curves", "diagnose"} {
		_, messages, _ := command(t, "", of, "--from", folder)
		if n := strings.Count(messages, "\n"); n > 12 {
			t.Errorf("%s says %d lines: %.600s", of, n, messages)
		}
		if of == "logs" && !strings.Contains(messages, "and 297 more") {
			t.Errorf("%s does not say how many: %.600s", of, messages)
		}
	}
}

// Following files of several jobs, or of none of that name, is an error that
// names this.
func TestFollowingSaysThatThereIsNoSuchJob(t *testing.T) {
	folder := logsIn(t, map[string]string{"a.log": "one\n", "b.log": "two\n"})
	for name, want := range map[string]string{"": "name one of them", "nosuch": `no job "nosuch"`} {
		ctx, cancel := context.WithCancel(t.Context())
		var out, messages lockedBuffer
		a := &app{in: strings.NewReader(""), out: &out, err: &messages, clock: time.Now}
		done := make(chan int)
		args := []string{"logs", "-f", "--from", folder}
		if name != "" {
			args = append(args, name)
		}
		go func() { done <- a.run(ctx, args) }()
		for late := time.Now().Add(20 * time.Second); !strings.Contains(messages.String(), want) && time.Now().Before(late); {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
		<-done
		if !strings.Contains(messages.String(), want) {
			t.Errorf("with %q it says %q", name, messages.String())
		}
	}
}

// Following the only job continues with it when another one appears.
func TestFollowingGoesOnBesideAnotherJob(t *testing.T) {
	folder := logsIn(t, map[string]string{"a.log": "one\n"})
	ctx, cancel := context.WithCancel(t.Context())
	var out, messages lockedBuffer
	a := &app{in: strings.NewReader(""), out: &out, err: &messages, clock: time.Now}
	done := make(chan int)
	go func() { done <- a.run(ctx, []string{"logs", "-f", "--no-prefix", "--from", folder}) }()
	out.waitFor(t, "one\n")
	if err := os.WriteFile(filepath.Join(folder, "b.log"), []byte("other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	messages.waitForPart(t, "Log/a.log is followed further")
	if err := os.WriteFile(filepath.Join(folder, "a.log"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out.waitFor(t, "one\ntwo\n")
	cancel()
	<-done
}

func (b *lockedBuffer) waitForPart(t *testing.T, text string) {
	t.Helper()
	for late := time.Now().Add(20 * time.Second); !strings.Contains(b.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("printed %q, want %q in it", b.String(), text)
		}
	}
}
