package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
)

// sizes are common terminal sizes: the usual, the large, the largest, and two
// that are too small for comfort.
var sizes = []struct{ width, height int }{{80, 24}, {160, 45}, {200, 60}, {40, 10}, {20, 5}}

// screenPaths are the keys that open each screen from the start.
var screenPaths = []struct {
	name string
	lead func(d *driver)
}{
	{"jobs", func(*driver) {}},
	{"jobs-wide", func(d *driver) { d.keys("ctrl+w") }},
	{"jobs-filter", func(d *driver) { d.keys("/").types("queued").keys("enter") }},
	{"job", func(d *driver) { d.command("jobs /clip").keys("enter") }},
	{"job-wall", func(d *driver) { d.command("jobs /clip").keys("enter", "v") }},
	{"job-events", func(d *driver) { d.command("jobs /clip").keys("enter", "2") }},
	{"job-objects", func(d *driver) { d.command("jobs /qwen").keys("enter", "3") }},
	{"rank", func(d *driver) { d.command("jobs /clip").keys("enter", "ctrl+z", "i") }},
	{"logs", func(d *driver) { d.command("jobs /clip").keys("l") }},
	{"logs-merged", func(d *driver) { d.command("jobs /clip").keys("l", "v") }},
	{"logs-ranks", func(d *driver) { d.command("jobs /clip").keys("l", "r") }},
	{"logs-different", func(d *driver) { d.command("jobs /clip").keys("l", "d") }},
	{"yaml", func(d *driver) { d.command("jobs /clip").keys("y") }},
	{"describe-job", func(d *driver) { d.command("jobs /clip").keys("enter", "5") }},
	{"describe-pod", func(d *driver) { d.command("jobs /clip").keys("enter", "ctrl+z", "d") }},
	{"describe-node", func(d *driver) { d.command("nodes").keys("d") }},
	{"describe-queue", func(d *driver) { d.command("queues").keys("d") }},
	{"nodes", func(d *driver) { d.command("nodes") }},
	{"node", func(d *driver) { d.command("nodes /h100-0").keys("enter") }},
	{"gpus", func(d *driver) { d.command("gpus") }},
	{"queues", func(d *driver) { d.command("queues") }},
	{"events", func(d *driver) { d.command("events") }},
	{"incidents", func(d *driver) { d.command("incidents") }},
	{"namespaces", func(d *driver) { d.command("ns") }},
	{"contexts", func(d *driver) { d.command("ctx") }},
	{"sources", func(d *driver) { d.command("sources") }},
	{"aliases", func(d *driver) { d.keys("ctrl+a") }},
	{"settings", func(d *driver) { d.command("settings") }},
	{"help", func(d *driver) { d.keys("?") }},
	{"prompt", func(d *driver) { d.keys(":").types("no") }},
}

// someSettings are as the configuration has them.
var someSettings = []views.Setting{
	{Key: "theme", Path: "theme", Value: "nord", Written: "nord", From: "config.yaml:3", Preset: "auto", Kind: "text", Choices: []string{"auto", "dark", "nord"}, Meaning: "colours, where auto follows the terminal's background: auto, dark, light, or a file of yours", Simple: true},
	{Key: "readonly", Path: "readonly", Value: "true", From: "--readonly", Preset: "false", Kind: "true or false", Meaning: "offer nothing that changes the cluster", Simple: true},
	{Key: "logStreams", Path: "logStreams", Preset: "64", Kind: "1 to 1024", Meaning: "how many logs are followed at once", Simple: true},
	{Key: "favouriteNamespaces", Path: "favouriteNamespaces", Value: "ml, nlp", Written: "ml, nlp", From: "config.yaml:9", Preset: "the busiest ones", Kind: "list", Meaning: "namespaces on the keys 1 to 9"},
	{Key: "probes", Path: "probes", Kind: "list of name, command", Meaning: "checks of your own that can be run inside ranks"},
}

func TestScreensAreAsRecorded(t *testing.T) {
	objects := fixture(t)
	for _, size := range sizes {
		for _, path := range screenPaths {
			t.Run(fmt.Sprintf("%dx%d/%s", size.width, size.height, path.name), func(t *testing.T) {
				d := drive(t, Options{Session: Session{Store: objects, Settings: Settings{Rows: someSettings}}}, size.width, size.height)
				path.lead(d)
				d.send(noticeOver(d.m.notice.generation))
				checkSize(t, d.coloured(), size.width, size.height)
				golden.RequireEqual(t, d.screen())
			})
		}
	}
}

// checkSize fails when a screen does not fit the terminal.
func checkSize(t *testing.T, screen string, width, height int) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) > height {
		t.Errorf("%d lines on a terminal of %d", len(lines), height)
	}
	for _, line := range lines {
		if ansi.StringWidth(line) > width {
			t.Errorf("%d cells on a terminal of %d: %q", ansi.StringWidth(line), width, ansi.Strip(line))
		}
	}
}

func TestThemes(t *testing.T) {
	for _, name := range themes.Names() {
		t.Run(name, func(t *testing.T) {
			golden.RequireEqual(t, drive(t, Options{Session: Session{Settings: Settings{Theme: name}}}, 100, 20).coloured())
		})
	}
	t.Run("ascii", func(t *testing.T) {
		d := drive(t, Options{Session: Session{Settings: Settings{ASCII: true}}, NoColor: true}, 100, 20)
		for _, r := range d.screen() {
			if r > 0x7e {
				t.Errorf("%q is not ASCII", r)
			}
		}
		golden.RequireEqual(t, d.screen())
	})
}

// With ASCII alone every screen is that, sentences and texts of the cluster too.
func TestEveryScreenIsDrawnWithASCIIAlone(t *testing.T) {
	objects := fixture(t)
	for _, path := range screenPaths {
		d := drive(t, Options{Session: Session{Store: objects, Settings: Settings{ASCII: true}}, NoColor: true}, 160, 45)
		path.lead(d)
		for _, line := range strings.Split(d.screen(), "\n") {
			if at := strings.IndexFunc(line, func(r rune) bool { return r > 0x7e }); at >= 0 {
				t.Errorf("%s: %q is not ASCII", path.name, line)
			}
		}
	}
}

// Every size must work, also while it changes.
func TestAnySizeIsDrawn(t *testing.T) {
	objects := fixture(t)
	for _, path := range screenPaths {
		d := drive(t, Options{Session: Session{Store: objects}}, 160, 45)
		path.lead(d)
		for _, width := range []int{1, 2, 10, 23, 24, 25, 39, 61, 79, 131, 300} {
			for _, height := range []int{1, 2, 5, 6, 7, 11, 17, 19, 90} {
				d.send(tea.WindowSizeMsg{Width: width, Height: height})
				checkSize(t, d.coloured(), width, height)
			}
		}
		d.send(tea.WindowSizeMsg{})
		d.coloured()
	}
}
