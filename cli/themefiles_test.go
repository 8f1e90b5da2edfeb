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
		"nord.yaml: there is a theme nord already", "broken.yaml:1: not valid YAML",
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

// A file in the folder of themes that is none, as a link to another file, is named
// without what is in it.
func TestAFileThatIsNoThemeIsNotQuoted(t *testing.T) {
	folder := configFiles(t, map[string]string{
		"traintop/config.yaml":      "theme: dark\n",
		"traintop/themes/list.yaml": "# mine\n- hunter2\n- swordfish\n",
		"traintop/themes/bad.yaml":  "a: 1\nhunter2: swordfish: more\n",
		"elsewhere/credentials":     "apiKeyOfAda: hunter2\nnested: {swordfish: 1}\nkind: {hunter2: swordfish}\n",
	})
	if err := os.Symlink(filepath.Join(folder, "elsewhere", "credentials"), filepath.Join(folder, "traintop", "themes", "link.yaml")); err != nil {
		t.Skip(err) // Windows without the right to make links
	}
	own, wrong := config.OwnThemes()
	all := strings.Join(wrong.Lines(), "\n")
	for _, want := range []string{
		"bad.yaml:2: not valid YAML", "list.yaml:2: the file has to be a map of settings",
		"link.yaml:1: it is no theme: none of its 3 settings is one of a theme's, which are background, base, heat, match, names, roles, selection",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	for _, inside := range []string{"hunter2", "swordfish", "apiKeyOfAda", "nested"} {
		if strings.Contains(all, inside) {
			t.Errorf("%q of the file is in\n%s", inside, all)
		}
	}
	if len(own) != 0 {
		t.Errorf("%d themes", len(own))
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
