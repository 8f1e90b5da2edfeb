package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/traintop/traintop/cli/config"
)

// configFiles writes files below a configuration folder that is used until the
// test ends.
func configFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	before := xdg.ConfigHome
	xdg.ConfigHome = folder
	t.Cleanup(func() { xdg.ConfigHome = before })
	t.Setenv("K9S_CONFIG_DIR", "")
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestThemesOfFilesAndSkinsOfK9s(t *testing.T) {
	configFiles(t, map[string]string{
		"traintop/config.yaml":        "theme: mine\ncontexts: {a: {theme: k9s-dracula}, b: {theme: k9s-drakula}}\n",
		"traintop/themes/mine.yaml":   "base: nord\nroles:\n  bad: tomato\n  dim: blurple\n  text: {color: '#ffffff', bold: 1}\nnoise: 1\n",
		"traintop/themes/nord.yaml":   "base: nord\n",
		"traintop/themes/broken.yaml": "a: b: c\n",
		"traintop/themes/readme.txt":  "no theme",
		"k9s/skins/dracula.yaml":      "k9s: {body: {fgColor: '#f8f8f2', bgColor: '#282a36'}}\n",
	})
	c, problems, err := config.Read(config.Path())
	if err != nil || c.In("a").Theme != "k9s-dracula" || c.In("c").Theme != "mine" || c.In("b").Theme != "mine" {
		t.Fatalf("%v, themes %q %q %q", err, c.In("a").Theme, c.In("b").Theme, c.In("c").Theme)
	}
	if all := strings.Join(problems.Lines(), "\n"); len(problems) != 1 || !strings.Contains(all, `did you mean "k9s-dracula"?`) {
		t.Errorf("problems: %s", all)
	}
	own, wrong := config.OwnThemes()
	if len(own) != 2 || own[0].Name != "mine" || own[1].Name != "k9s-dracula" {
		t.Errorf("%d themes: %+v", len(own), own)
	}
	all := strings.Join(wrong.Lines(), "\n")
	for _, want := range []string{
		`mine.yaml:4: roles.dim is "blurple", which is no colour`, `mine.yaml:5: roles.text is "{`, `mine.yaml:6: there is no setting "noise"`,
		"nord.yaml: there is a theme nord already", "broken.yaml: not valid YAML",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	if _, messages, code := command(t, "", "jobs", "--from", "testdata/pending.yaml", "--theme", "mine"); code != exitDone {
		t.Errorf("--theme mine: exit %d, %s", code, messages)
	}
	if _, messages, code := command(t, "", "jobs", "--from", "testdata/pending.yaml", "--theme", "yours"); code != exitUsage || !strings.Contains(messages, "k9s-dracula") {
		t.Errorf("--theme yours: exit %d, %s", code, messages)
	}
}

// A file that is too large for a theme is not parsed, which would take long.
func TestAThemeTooLargeIsNamed(t *testing.T) {
	configFiles(t, map[string]string{
		"traintop/config.yaml":      "theme: dark\n",
		"traintop/themes/huge.yaml": "base: nord\n" + strings.Repeat("# much\n", 50_000),
	})
	out, _, code := command(t, "", "config", "check")
	if want := "huge.yaml: "; !strings.Contains(out, want) || !strings.Contains(out, "it has more than 256 KiB") || code != exitFailed {
		t.Errorf("exit %d: %s", code, out)
	}
}
