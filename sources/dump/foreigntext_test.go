package dump

import (
	"strings"
	"testing"
)

// Texts that are not logs are reported with their type.
func TestForeignTexts(t *testing.T) {
	wide := func(text string) string { return strings.Join(strings.Split(text, ""), "\x00") + "\x00" }
	for text, want := range map[string]string{
		"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n":                            "Git LFS",
		"<div class=\"log\">\n<span>step 1 loss 2</span></div>\n":                                              "web page",
		"{\\rtf1\\ansi\\deff0 step 1 loss 2\\par}":                                                             "RTF",
		"diff --git a/x b/x\n--- a/x\n+++ b/x\n-loss = 2\n+loss = 3\n":                                         "patch",
		strings.Repeat("MjAyNi0xMS0yMCAwODowMDowMCBJTkZPIHN0ZXAgMCBsb3NzIDMuMDAwCg\n", 9) + "MjAyNg==\n":       "base64",
		"From: jane\nSubject: stuck\nContent-Transfer-Encoding: base64\n\nMjAyNi0xMS0yMCAwODow\n":              "encoded",
		`{"PRIORITY":"6","MESSAGE": [84,114,97,99,101]}` + "\n" + `{"PRIORITY":"6","MESSAGE":"step 1"}` + "\n": "",
		strings.Repeat("step 1 loss 2.0\n", 40) + wide(strings.Repeat("CUDA out of memory\n", 9)):              "UTF-16",
		"step 1 loss 2.5\nstep 2 loss 2.4\n":                                                                   "",
		"[2026-11-20 08:00:00] <stdout> step 1\n":                                                              "",
	} {
		if got := foreignText([]byte(text)); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}
