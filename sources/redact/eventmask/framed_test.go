package eventmask

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// redacted returns what a log becomes whose lines come one by one.
func redacted(lines []string) []string {
	r := New()
	for n, line := range lines {
		events := r.Redact([]store.Event{store.Logged{Stream: train.StreamID{Container: "c"}, Lines: []train.LogLine{{Number: int64(n + 1), Text: line}}}})
		lines[n] = events[0].(store.Logged).Lines[0].Text
	}
	return lines
}

// frames are what programs, collectors and tables write around the text of each line.
var frames = map[string]func(n int, text string) string{
	"json": func(_ int, text string) string { return fmt.Sprintf(`{"message": "%s"}`, text) },
	"json, ts": func(n int, text string) string {
		return fmt.Sprintf(`{"level":"info","msg":"%s","ts":17%d.5}`, text, n)
	},
	"json in json": func(n int, text string) string {
		return fmt.Sprintf(`{"time":"2026-11-29T09:00:0%dZ","log":"{\"msg\":\"%s\",\"rank\":0}\n"}`, n, text)
	},
	"quotes":  func(_ int, text string) string { return `"` + text + `"` },
	"list":    func(_ int, text string) string { return `  "` + text + `",` },
	"yaml":    func(_ int, text string) string { return `- "` + text + `"` },
	"logfmt":  func(n int, text string) string { return fmt.Sprintf(`ts=%d level=info msg="%s" rank=0`, n, text) },
	"colour":  func(_ int, text string) string { return "\x1b[32m" + text + "\x1b[0m" },
	"colours": func(n int, text string) string { return fmt.Sprintf("\x1b[2m%d\x1b[0m \x1b[1m%s\x1b[0m", n, text) },
	"csv":     func(n int, text string) string { return fmt.Sprintf(`2026-11-29T09:00:0%dZ,"%s"`, n, text) },
	"box":     func(_ int, text string) string { return "│ " + text + " │" },
	"aligned": func(_ int, text string) string { return fmt.Sprintf("│ %-60s │", text) },
	"html":    func(_ int, text string) string { return "<div>" + text + "</div>" },
	"bytes":   func(_ int, text string) string { return `b'` + text + `\n'` },
	"place":   func(n int, text string) string { return fmt.Sprintf("%s (train.py:%d)", text, 88+n*7) },
	"both": func(n int, text string) string {
		return fmt.Sprintf("09:00:0%d INFO %s (train.py:%d)", n, text, 88+n*7)
	},
	"zap": func(n int, text string) string { return fmt.Sprintf("INFO\tm.go:%d\t%s\t{\"a\":%d}", n, text, n) },
}

// What is around the text of each line hides no name at its end.
func TestSecretsBelowTheirNamesInAFrame(t *testing.T) {
	for name, frame := range frames {
		for _, text := range []string{
			"a\nconfig:\n  user: ada\n  db_password:\n    @\nb", "db_password:\n@\nb", "  api_key:\n  @\n  lr: 0.1", "password=\n@\nb", "passwords:\n- @\n- @\nb", "db_password:\n\n@\nb",
			"token:\n  @\nb", "hub_token:\n  @", "db_password:\n  @\napi_key:\n  @\nb",
		} {
			const secret = "Qx1zK93LmQpZ7vT2bRcA8wYe"
			var lines []string
			for n, line := range strings.Split(strings.ReplaceAll(text, "@", secret), "\n") {
				lines = append(lines, frame(n, line))
			}
			was := strings.Clone(strings.Join(lines, "\n"))
			if strings.Contains(text, "\n\n") && name != "json" {
				continue
			}
			for n, got := range redacted(lines) {
				before, after, is := strings.Cut(strings.Split(was, "\n")[n], secret)
				if strings.Contains(got, secret) || !is && got != before || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
					t.Errorf("%s: line %d of %q became %q", name, n, was, got)
				}
			}
		}
	}
}

// Lines that are alike at their ends, of which none has a secret, stay.
func TestLinesInAFrameStay(t *testing.T) {
	for _, text := range []string{
		"config:\n  user: ada\n  lr: 0.1", "tokens:\n  1024\n  2048", "token:\n  hello\n  world", "Loading tokenizer:\n  gpt2\n  done", "password:\n  user: ada", "Invalid token:\n  step 12 loss 2.5",
		"key:\n  model.layers.0.weight\n  model.layers.1.weight", "api_key:\nstep 1\nstep 2", "tokens_per_second:\n  48203.1\nok",
	} {
		for name, frame := range frames {
			var lines []string
			for n, line := range strings.Split(text, "\n") {
				lines = append(lines, frame(n, line))
			}
			was := strings.Join(lines, "\n")
			if got := strings.Join(redacted(lines), "\n"); got != was {
				t.Errorf("%s: %q became %q", name, was, got)
			}
		}
	}
	for _, was := range []string{
		"\"password\": \"\",\n\"user\": \"\",\n\"host\": \"\",", "token: '<unk>'\neos: '<unk>'", "'secret': 'none'\n'Ab3dE5fG7hJ9kL': 'none'", "api_key: (none)\nregion (none)",
	} {
		if got := strings.Join(redacted(strings.Split(was, "\n")), "\n"); got != was {
			t.Errorf("%q became %q", was, got)
		}
	}
}
