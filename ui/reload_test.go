package ui

import (
	"strings"
	"testing"
)

// A change of the configuration is seen on the open screen.
func TestTheConfigurationIsReadAgainWhileTheScreenIsOpen(t *testing.T) {
	d := drive(t, Options{Session: Session{Settings: Settings{Theme: "dark"}}}, 120, 30)
	d.hides("[R]")
	before := d.coloured()
	d.send(reloaded(func(context string) Reload {
		return Reload{Settings: Settings{Theme: "light", ReadOnly: context == "prod-gpu", Favourites: []string{"vision"}}, NextStart: []string{"rewind"}}
	}))
	d.shows("[R]", "the configuration was read again; the next start reads rewind")
	if d.coloured() == before || d.m.theme.Name != "light" {
		t.Errorf("the theme is %s", d.m.theme.Name)
	}
	d.send(reloaded(func(string) Reload { return Reload{Failed: true, Warnings: []string{"it is no YAML"}} }))
	d.shows("it is no YAML", "[R]")
	if d.m.theme.Name != "light" {
		t.Error("a file that cannot be read changed the theme")
	}
	d.send(reloaded(func(string) Reload { return Reload{Settings: Settings{ASCII: true}, Warnings: []string{"mouse is 5"}} }))
	d.shows("mouse is 5")
	d.hides("[R]")
	if !strings.Contains(d.screen(), "---") {
		t.Errorf("it is not drawn in ASCII:\n%s", d.screen())
	}
}
