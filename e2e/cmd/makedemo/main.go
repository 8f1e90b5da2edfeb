// Command makedemo makes the recording that `traintop demo` plays, and the
// narration beside it. It starts the control plane that the tests use, runs
// jobs with common failures on twelve GPU nodes, and records them with
// `traintop record`. That takes as long as the story, eighteen minutes, and a
// minute to start.
//
//	go run ./cmd/makedemo                         writes demo.ttrec and story.json in ../testdata/story
//	go run ./cmd/makedemo -hurry 10 -o /tmp/try   tries the scenes out in two minutes
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/traintop/traintop/demo"
	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/sources/recording"
)

func main() {
	out := flag.String("o", filepath.Join("..", "testdata", "story"), "folder that gets demo.ttrec and story.json")
	dir := flag.String("dir", "", "folder for the control plane's state and logs, kept at the end (default a temporary one)")
	hurry := flag.Int("hurry", 1, "play the scenes so many times as fast, to try them out: the rules then see little")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := makeDemo(ctx, *out, *dir, time.Duration(max(1, *hurry))); err != nil {
		fmt.Fprintln(os.Stderr, "makedemo:", err)
		os.Exit(1)
	}
}

func say(text string) {
	fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), text)
}

func makeDemo(ctx context.Context, out, dir string, hurry time.Duration) error {
	cluster, err := controlplane.Start(ctx, controlplane.Options{Dir: dir, Progress: say})
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "makedemo-")
	if err == nil {
		err = play(ctx, cluster, work, out, hurry)
	}
	return errors.Join(err, cluster.Stop(), os.RemoveAll(work))
}

// play runs the story and keeps its recording.
func play(ctx context.Context, cluster *controlplane.ControlPlane, work, out string, hurry time.Duration) error {
	recorder, err := buildRecorder(ctx, work)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := newStage(cluster, work)
	if err := s.setUp(ctx); err != nil {
		return err
	}
	defer s.end()
	say(fmt.Sprintf("the jobs of the beginning run; they are given %s", leadIn/hurry))
	if !sleep(ctx, leadIn/hurry) {
		return ctx.Err()
	}
	if err := recorder.start(ctx, cluster.Kubeconfig); err != nil {
		return err
	}
	chapters, failed := s.play(ctx, scenes(), hurry)
	if err := recorder.stop(); err != nil || ctx.Err() != nil {
		return errors.Join(failed, err)
	}
	return errors.Join(failed, keep(recorder.path, out, chapters))
}

// keep moves the recording to its place and writes the chapters beside it, with
// their offsets from its beginning.
func keep(path, out string, chapters []chapter) error {
	file, err := recording.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() // read only
	story := make([]demo.Chapter, 0, len(chapters))
	for _, c := range chapters {
		c.chapter.At = max(0, c.at.Sub(file.From()).Round(time.Second))
		story = append(story, c.chapter)
	}
	story[0].At = 0
	text, err := demo.Write(story)
	if err != nil {
		return err
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read what was recorded: %w", err)
	}
	for name, content := range map[string][]byte{"demo.ttrec": whole, "story.json": text} {
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return fmt.Errorf("write the demo: %w", err)
		}
	}
	say(fmt.Sprintf("%d bytes, %s, in %s", len(whole), file.To().Sub(file.From()).Round(time.Second), out))
	return nil
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
