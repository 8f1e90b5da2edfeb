package ui

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// readmeFrames are the screens of the README, by the name in the comment before
// each, and the keys that lead there.
var readmeFrames = map[string]func(d *driver){
	"jobs": func(*driver) {},
	// So high that the number of causes, which grows with each new one, is below.
	"diagnosis": func(d *driver) {
		d.keys("/").types("clip-vit-l").keys("enter", "D").send(tea.WindowSizeMsg{Width: 144, Height: 31})
	},
	"charts": func(d *driver) { d.keys("/").types("llama-70b").keys("enter", "C") },
}

// The README shows the screens as they are; go test ./ui -run README -update
// draws them anew.
func TestREADMEShowsTheScreens(t *testing.T) {
	const path = "../README.md"
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(have), "\r\n", "\n")
	drawn := text
	for name, lead := range readmeFrames {
		block := regexp.MustCompile("(?s)<!-- frame " + name + " -->\n```\n.*?\n```")
		if len(block.FindAllString(text, -1)) != 1 {
			t.Fatalf("the README has no frame %s", name)
		}
		d := drive(t, Options{Session: Session{Store: fromFiles(t, "../testdata/demo"), Context: "demo"}}, 144, 33)
		lead(d)
		frame := "<!-- frame " + name + " -->\n```\n" + strings.TrimRight(d.screen(), "\n") + "\n```"
		drawn = block.ReplaceAllLiteralString(drawn, frame)
	}
	if update := flag.Lookup("update"); update != nil && update.Value.String() == "true" {
		if err := os.WriteFile(path, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if drawn != text {
		t.Error("the README shows screens as they were; go test ./ui -run README -update draws them anew")
	}
}
