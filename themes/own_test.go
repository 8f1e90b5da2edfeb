package themes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestColoursAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"#A1b2C3": "#a1b2c3", "#abc": "#aabbcc", "Tomato": "#ff6347", "dodgerblue": "#1e90ff", "default": "", "-": "",
	} {
		if got, ok := ParseColour(text); !ok || got != want {
			t.Errorf("%q is %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "#12", "#12345g", "blurple", "red;2", "\x1b[31m", "#1234567"} {
		if got, ok := ParseColour(text); ok {
			t.Errorf("%q is the colour %q", text, got)
		}
	}
}

func TestAThemeOfAFileStandsOnAnother(t *testing.T) {
	yes, no := true, false
	spec := Spec{Base: "nord", Background: "#101418", Roles: map[string]RoleSpec{
		"accent": {Colour: "tomato"}, "bad": {Colour: "#f00", Bold: &no}, "yamlString": {Colour: "gold", Underline: &yes},
		"dim": {Colour: "blurple"}, "loud": {Colour: "red"},
	}, Heat: []string{"red"}}
	var wrong []string
	own := spec.Build("mine", func(path, text string) { wrong = append(wrong, path+": "+text) })
	theme, err := Named("mine", Options{Own: []Own{own}})
	if err != nil || theme.Name != "mine" || theme.Background != "#101418" {
		t.Fatalf("%v %+v", err, theme)
	}
	for role, want := range map[Role]string{
		Accent: "\x1b[0;1;38;2;255;99;71m", Key: "\x1b[0;38;2;255;99;71m", Bad: "\x1b[0;38;2;255;0;0m",
		YAMLString: "\x1b[0;4;38;2;255;215;0m", Dim: "\x1b[0;38;2;166;175;192m",
	} {
		if got := theme.Open(role, false); got != want {
			t.Errorf("role %d is %q, want %q", role, got, want)
		}
	}
	all := strings.Join(wrong, "\n")
	for _, want := range []string{`roles.dim is "blurple", which is no colour`, `there is no role "loud"; roles are text, dim`, "heat has 1 colours and needs 8"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not among\n%s", want, all)
		}
	}
	if len(wrong) != 3 {
		t.Errorf("%d problems:\n%s", len(wrong), all)
	}
	if _, err := Named("other", Options{Own: []Own{own}}); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Errorf("the error does not name the own themes: %v", err)
	}
}

func TestAThemeThatIsHardToReadIsNamed(t *testing.T) {
	own := Spec{Background: "black", Roles: map[string]RoleSpec{"dim": {Colour: "#333333"}}}.Build("mine", func(path, text string) { t.Error(path, text) })
	if hard := own.Unreadable(); len(hard) != 1 || hard["dim"] > 2 {
		t.Errorf("hard to read: %v", hard)
	}
}

// Skins of k9s keep their colours where they can be read.
func TestSkinsOfK9sAreReadable(t *testing.T) {
	files, err := filepath.Glob("testdata/skins/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d skins, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var skin K9sSkin
		if err := yaml.Unmarshal(text, &skin); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		own := skin.Build(file)
		if hard := own.Unreadable(); len(hard) > 0 {
			t.Errorf("%s: hard to read: %v", file, hard)
		}
		if _, err := Named(file, Options{Own: []Own{own}}); err != nil {
			t.Error(err)
		}
	}
}

func TestASkinOfK9sKeepsItsColours(t *testing.T) {
	text, err := os.ReadFile("testdata/skins/dark.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var skin K9sSkin
	if err := yaml.Unmarshal(text, &skin); err != nil {
		t.Fatal(err)
	}
	p := skin.Build("x").palette
	if p.ground != "#20222c" || p.text != "#f0f0e8" || p.good != "#60f080" || p.bad != "#ff6868" || p.accent != "#ff80c0" { // the red is lighter than #ff6060, which the selected row would hide
		t.Errorf("%+v", p)
	}
}
