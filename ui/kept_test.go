package ui

import (
	"strings"
	"testing"
)

// lineWith is the line of the screen that contains a text.
func lineWith(d *driver, text string) int {
	for i, line := range strings.Split(d.screen(), "\n")[5:] { // below the header
		if strings.Contains(line, text) {
			return i
		}
	}
	return -1
}

func TestPinnedJobsComeFirst(t *testing.T) {
	memory, _ := memoryIn(t)
	d := drive(t, Options{Memory: memory}, 140, 40)
	if at := lineWith(d, "clip"); at <= 1 {
		t.Fatalf("clip is in line %d already:\n%s", at, d.screen())
	}
	d.command("jobs /clip").keys("b").shows("1 job pinned on top", "★").keys("esc", "esc")
	first := lineWith(d, "clip")
	if first != 1 {
		t.Errorf("the pinned job is in line %d:\n%s", first, d.screen())
	}
	d.keys("N").keys("N") // in every order
	if at := lineWith(d, "clip"); at != first {
		t.Errorf("sorted by name it is in line %d:\n%s", at, d.screen())
	}
	d.m.remember()
	d = drive(t, Options{Memory: memory}, 140, 40)
	if at := lineWith(d, "clip"); at != first {
		t.Errorf("after a start it is in line %d:\n%s", at, d.screen())
	}
	d.command("jobs /clip").keys("b").shows("1 job let go").hides("★")
}

func TestLayoutsAreKeptForEachJob(t *testing.T) {
	memory, _ := memoryIn(t)
	d := drive(t, Options{Memory: memory}, 140, 40)
	d.command("logs clip").keys("w").shows("wrap")
	d.command("logs zephyr-dpo").hides("wrap")
	d.command("logs clip").shows("wrap")
	d.m.remember()
	d = drive(t, Options{Memory: memory}, 140, 40)
	d.command("logs clip").shows("wrap")
	d.command("logs zephyr-dpo").hides("wrap")
}
