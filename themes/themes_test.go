package themes

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestEveryThemeDrawsEveryRole(t *testing.T) {
	for _, name := range Names() {
		theme, err := Named(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for r := range roleCount {
			open, selected := theme.Open(r, false), theme.Open(r, true)
			if open == selected {
				t.Errorf("%s: role %d looks the same on the selected row", name, r)
			}
			if ansi.Strip(open+selected) != "" {
				t.Errorf("%s: role %d writes something: %q", name, r, ansi.Strip(open))
			}
		}
		if plainText := ansi.Strip(theme.Paint(Bad, "failed")); plainText != "failed" {
			t.Errorf("%s: painted text reads %q", name, plainText)
		}
	}
}

func TestPlainHasNoColour(t *testing.T) {
	for _, o := range []Options{{NoColor: true}, {NoColor: true, Light: true}} {
		theme, err := Named("nord", o)
		if err != nil {
			t.Fatal(err)
		}
		for r := range roleCount {
			for _, s := range []string{theme.Open(r, false), theme.Open(r, true)} {
				if strings.Contains(s, "38;") || strings.Contains(s, "48;") {
					t.Errorf("role %d has a colour: %q", r, s)
				}
			}
		}
	}
}

func TestAutoFollowsTheBackground(t *testing.T) {
	for light, want := range map[bool]string{false: "dark", true: "light"} {
		if theme, _ := Named(Auto, Options{Light: light}); theme.Name != want {
			t.Errorf("light %v: got %s, want %s", light, theme.Name, want)
		}
	}
	if _, err := Named("beige", Options{}); err == nil || !strings.Contains(err.Error(), "nord") {
		t.Errorf("an unknown theme is not answered with those there are: %v", err)
	}
}

func TestGlyphsAreOneCellWide(t *testing.T) {
	for _, glyphs := range []Glyphs{Unicode(), ASCII()} {
		v := reflect.ValueOf(glyphs)
		for i := range v.NumField() {
			for _, g := range texts(v.Field(i)) {
				if ansi.StringWidth(g) != 1 {
					t.Errorf("%s %q is %d cells wide", v.Type().Field(i).Name, g, ansi.StringWidth(g))
				}
			}
		}
	}
	v := reflect.ValueOf(ASCII())
	for i := range v.NumField() {
		for _, g := range texts(v.Field(i)) {
			if g[0] >= 0x80 {
				t.Errorf("%s %q is not ASCII", v.Type().Field(i).Name, g)
			}
		}
	}
}

func texts(v reflect.Value) []string {
	if v.Kind() == reflect.String {
		return []string{v.String()}
	}
	return v.Interface().([]string)
}

func TestNamesKeepTheirColour(t *testing.T) {
	theme, _ := Named("dark", Options{})
	seen := map[Role]bool{}
	for _, name := range strings.Fields("llama bert dino grpo mixtral ctr whisper clip sdxl gpt") {
		r := theme.NameRole(name)
		if r != theme.NameRole(name) || r < Name0 || r > Name5 {
			t.Errorf("%s is drawn in role %d", name, r)
		}
		seen[r] = true
	}
	if len(seen) < 3 {
		t.Errorf("ten names share %d colours", len(seen))
	}
}
