package ui

import (
	"testing"

	"github.com/traintop/traintop/views"
)

func TestSettingsAreShownAndChanged(t *testing.T) {
	wrote := map[string]string{}
	rows := []views.Setting{
		{Key: "theme", Path: "contexts.lab.theme", Value: "nord", Written: "nord", From: "config.yaml:3", Preset: "auto", Kind: "text", Choices: []string{"auto", "dark", "nord"}, Meaning: "colours", Simple: true},
		{Key: "logStreams", Path: "logStreams", AtStart: true, Preset: "64", Kind: "1 to 1024", Meaning: "how many logs are followed at once", Simple: true},
		{Key: "probes", Preset: "", Kind: "list", Meaning: "checks of your own"},
	}
	d := drive(t, Options{ConfigPath: "/x/config.yaml", Session: Session{Settings: Settings{Rows: rows}}, SetConfig: func(key, value string) error {
		wrote[key] = value
		return nil
	}}, 120, 30)
	d.command("settings").shows("Settings 3", "1 set", "theme", "nord", "config.yaml:3", "logStreams", "64", "default")
	d.keys("enter").shows("Change theme", "colours", "without it: auto", "written to /x/config.yaml as contexts.lab.theme")
	d.keys("left", "tab", "tab", "enter").shows("contexts.lab.theme is written")
	if wrote["contexts.lab.theme"] != "dark" {
		t.Errorf("wrote %v", wrote)
	}
	d.keys("down", "enter").shows("it is read at the next start").types("12").keys("tab", "tab", "enter").shows("logStreams is written")
	if wrote["logStreams"] != "12" {
		t.Errorf("wrote %v", wrote)
	}
	d.keys("/").types("prob").keys("enter").shows("Settings 1", "probes").hides("how many logs")
	d.keys("enter").shows("probes has several parts: e edits /x/config.yaml")
	d.keys("esc").send(reloaded(func(string) Reload { return Reload{Settings: Settings{Rows: rows[:1]}} }))
	d.shows("Settings 1")
}
