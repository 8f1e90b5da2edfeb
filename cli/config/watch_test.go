package config

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Every way in which an editor or a mounted ConfigMap writes a file is noticed.
func TestWatchNoticesEveryWayToWriteAFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "config.yaml")
	ctx, stop := context.WithCancel(context.Background())
	changed, over := make(chan struct{}, 100), make(chan struct{})
	go func() {
		defer close(over)
		Watch(ctx, func() []string { return []string{path, filepath.Join(folder, "themes")} }, func() { changed <- struct{}{} })
	}()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(settle)
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"made", func() { write("config.yaml", "theme: dark\n") }},
		{"written", func() { write("config.yaml", "theme: light\n") }},
		{"replaced", func() {
			write(".config.yaml.swp", "theme: nord\nascii: true\n")
			if err := os.Rename(filepath.Join(folder, ".config.yaml.swp"), path); err != nil {
				t.Fatal(err)
			}
		}},
		{"a folder beside it", func() {
			if err := os.Mkdir(filepath.Join(folder, "themes"), 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{"a file in the folder", func() { write("themes/mine.yaml", "base: dark\n") }},
		{"removed", func() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		step.do()
		select {
		case <-changed:
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: not noticed", step.name)
		}
	}
	write("other.txt", "x")
	select {
	case <-changed:
		t.Error("a file beside it counts as a change")
	case <-time.After(3 * settle):
	}
	stop()
	<-over
}
