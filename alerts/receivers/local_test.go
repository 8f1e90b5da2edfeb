package receivers

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/termtext/corpus"
)

func contextWithTimeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}

// script is the argument list of a shell script; tests without a shell are left
// out.
func script(t *testing.T, text string, args ...string) []string {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	return append([]string{shell, "-c", text, "sh"}, args...)
}

func TestACommandGetsTheIncidentAsJSON(t *testing.T) {
	t.Setenv("TRAINTOP_TEST_STAYS", "stays")
	out := filepath.Join(t.TempDir(), "out")
	argument := `$(touch hacked) "; rm -rf /`
	r := made(t, commandKind, &Command{Command: script(t, `cat >"$1"; printf '%s\n%s' "$2" "$TRAINTOP_TEST_STAYS" >"$1.args"`, out, argument)}, nil)
	for _, text := range hostileTexts()[:40] {
		if err := send(t, r, noticeOf(text)); err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		var p Payload
		if err := json.Unmarshal(body, &p); err != nil || p.Version != 1 || !bytes.HasSuffix(body, []byte("}\n")) || bytes.Count(body, []byte("\n")) != 1 {
			t.Errorf("%.60q: %v in %.200q", text, err, body)
		}
	}
	if args, err := os.ReadFile(out + ".args"); err != nil || string(args) != argument+"\nstays" {
		t.Errorf("the argument and the environment are %q, %v", args, err)
	}
}

func TestACommandThatFails(t *testing.T) {
	for text, want := range map[string]struct {
		again bool
		words string
	}{
		"echo one; echo 'no \033[31msuch pager password=hunter2Planted77' >&2; exit 3": {false, "ended with exit status 3: no such pager password="},
		"exit 75":                              {true, "exit status 75"},
		"kill -9 $$":                           {false, "signal: killed"},
		"yes x | head -c 1000000 >&2; exit 1":  {false, "exit status 1: x"},
		"head -c 200000 /dev/zero >&2; exit 2": {false, "exit status 2"},
	} {
		err := send(t, made(t, commandKind, &Command{Command: script(t, text)}, nil), opened())
		_, again := retries(err)
		if err == nil || again != want.again || !strings.Contains(err.Error(), want.words) || strings.Contains(err.Error(), "hunter2Planted77") || len(err.Error()) > 400 || corpus.Check(err.Error()) != nil {
			t.Errorf("%s: again %t: %q", text, again, err)
		}
	}
	err := send(t, made(t, commandKind, &Command{Command: []string{"/nowhere/secretFolder/pager"}}, nil), opened())
	if _, again := retries(err); again || err == nil || !strings.Contains(err.Error(), "the program pager: no such file") || strings.Contains(err.Error(), "secretFolder") {
		t.Errorf("%v", err)
	}
}

// A program without its path is found in PATH, or refused with what to write.
func TestACommandIsFoundInPath(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "page-me"), []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	t.Chdir(folder)
	path := os.Getenv("PATH")
	for _, c := range []struct{ path, program, want string }{
		{folder + ":" + path, "page-me", ""},
		{path, "./page-me", ""},
		{path, "page-me", "run the program page-me: it is not in PATH; write its path, as in /usr/local/bin/page-me"},
		{path, "page-me --now", "run the program page-me --now: it is not in PATH; write its path, and each argument as an item of its own"},
		{".:" + path, "page-me", "run the program page-me: PATH finds it in the working folder alone, where no program is taken from; write its path"},
		{path, "bin/page-me", "run the program page-me: no such file or directory; its path begins where traintop was started: write it from / on"},
	} {
		t.Setenv("PATH", c.path)
		err := send(t, made(t, commandKind, &Command{Command: []string{c.program}}, nil), opened())
		if _, again := retries(err); again || (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.program, err, c.want)
		}
	}
}

// TestACommandThatHangsIsStopped with what it started, and one that does not
// read its input ends well.
func TestACommandThatHangsIsStopped(t *testing.T) {
	began := time.Now()
	hangs := &Command{Command: script(t, "sleep 600 & sleep 600"), Timeout: Duration{Length: 200 * time.Millisecond}}
	err := send(t, made(t, commandKind, hangs, nil), opened())
	if _, again := retries(err); !again || !strings.Contains(err.Error(), "did not end within 200ms") || time.Since(began) > 10*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	file := filepath.Join(t.TempDir(), "beats")
	leaves := &Command{Command: script(t, `(while :; do echo beat >>"$1"; sleep 0.02; done) & sleep 600`, file), Timeout: Duration{Length: 300 * time.Millisecond}}
	if _, again := retries(send(t, made(t, commandKind, leaves, nil), opened())); !again {
		t.Error("it is not tried again")
	}
	beats := func() int64 {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := beats()
	time.Sleep(200 * time.Millisecond)
	if after := beats(); after != before {
		t.Error("what it started goes on")
	}
	if err := send(t, made(t, commandKind, &Command{Command: script(t, "exit 0")}, nil), noticeOf(strings.Repeat("x", 300_000))); err != nil {
		t.Errorf("one that does not read: %v", err)
	}
}

// kitty matches the parts of an OSC 99.
var kitty = regexp.MustCompile(`\x1b\]99;i=([a-zA-Z0-9-]+):e=1:p=(title|body):d=[01];([A-Za-z0-9+/=]*)\x1b\\`)

func TestTerminalSequences(t *testing.T) {
	const text = "ERROR ml/PyTorchJob/bert: a; b"
	for style, want := range map[string]string{
		StyleBell:   "\a",
		StyleOSC9:   "\x1b]9;traintop: ERROR ml/PyTorchJob/bert: a; b\x1b\\\a",
		StyleOSC777: "\x1b]777;notify;traintop;ERROR ml/PyTorchJob/bert: a, b\x1b\\\a",
	} {
		if got := TerminalSequence(style, false, "id", text); got != want {
			t.Errorf("%s: %q, want %q", style, got, want)
		}
	}
	parts := kitty.FindAllStringSubmatch(TerminalSequence(StyleOSC99, false, "3f6a;1", text), -1)
	if len(parts) != 2 || parts[0][1] != "traintop-3f6a1" || parts[0][2] != "title" || parts[1][2] != "body" {
		t.Fatalf("%q", parts)
	}
	if body, err := base64.StdEncoding.DecodeString(parts[1][3]); err != nil || string(body) != text {
		t.Errorf("the body is %q, %v", body, err)
	}
	if got, want := TerminalSequence(StyleOSC9, true, "id", "x"), "\x1bPtmux;\x1b\x1b]9;traintop: x\x1b\x1b\\\x1b\\\a"; got != want {
		t.Errorf("within tmux %q, want %q", got, want)
	}
	if got := TerminalSequence(StyleBell, true, "id", "x"); got != "\a" {
		t.Errorf("the bell within tmux is %q", got)
	}
}

// TestHostileTextOnTheTerminal: a text ends no sequence and begins none.
func TestHostileTextOnTheTerminal(t *testing.T) {
	for _, text := range append(hostileTexts(), "4;1;50", "\x1b\\\x1b]52;c;ZXZpbA==\a", "\u009c\u009d52;c;x", "\x9c\x9d52;c;x") {
		for _, style := range terminalStyles[1:] {
			got := TerminalSequence(style, false, text, text)
			rest := strings.TrimSuffix(kitty.ReplaceAllString(got, ""), "\a")
			if style == StyleOSC9 || style == StyleOSC777 {
				rest = strings.TrimSuffix(rest, "\x1b\\")
				rest = strings.TrimPrefix(strings.TrimPrefix(rest, "\x1b]9;traintop: "), "\x1b]777;notify;traintop;")
			}
			if err := corpus.Check(rest); err != nil || strings.ContainsAny(rest, "\n\t") || style == StyleOSC777 && strings.Contains(rest, ";") || inCharacters(rest) > longestRing {
				t.Errorf("%s: %.60q: %v: %.200q", style, text, err, got)
			}
		}
	}
}

func TestTheStyleOfATerminalIsFound(t *testing.T) {
	for variables, want := range map[string]string{
		"TERM=xterm-kitty": StyleOSC99, "KITTY_WINDOW_ID=1 TERM=tmux-256color": StyleOSC99, "TERM_PROGRAM=iTerm.app": StyleOSC9, "TERM_PROGRAM=WezTerm": StyleOSC777,
		"TERM=foot": StyleOSC777, "TERM=rxvt-unicode-256color": StyleOSC777, "VTE_VERSION=7600 TERM=xterm-256color": StyleOSC777, "TERM=xterm-ghostty": StyleOSC777, "TERM=xterm-256color": StyleBell, "": StyleBell, "TERM=linux": StyleBell, "TERM=dumb VTE_VERSION=7600": StyleBell,
	} {
		values := map[string]string{}
		for pair := range strings.FieldsSeq(variables) {
			name, value, _ := strings.Cut(pair, "=")
			values[name] = value
		}
		if got := TerminalStyle(func(name string) string { return values[name] }); got != want {
			t.Errorf("%s: %s, want %s", variables, got, want)
		}
	}
}

// TestTheTerminalReceiver writes, and reports when there is none.
func TestTheTerminalReceiver(t *testing.T) {
	var screen bytes.Buffer
	values := environment(map[string]string{"TMUX": "/tmp/tmux-0/default,1,0", "TERM_PROGRAM": "iTerm.app"})
	maker := NewMaker(Options{Now: time.Now, LookupEnv: values, Terminal: &screen})
	if err := send(t, maker.Receiver("me", terminalKind, &Terminal{}), opened()); err != nil || !strings.HasPrefix(screen.String(), "\x1bPtmux;\x1b\x1b]9;traintop: ERROR ml/PyTorchJob/bert") {
		t.Errorf("%v, %q", err, screen.String())
	}
	no := false
	screen.Reset()
	if err := send(t, maker.Receiver("me", terminalKind, &Terminal{Style: StyleBell, Tmux: &no}), opened()); err != nil || screen.String() != "\a" {
		t.Errorf("%v, %q", err, screen.String())
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	maker = NewMaker(Options{Now: time.Now, Terminal: log})
	if err := send(t, maker.Receiver("me", terminalKind, &Terminal{Style: StyleOSC9}), opened()); err == nil || !strings.Contains(err.Error(), "there is no terminal") {
		t.Errorf("into a file: %v", err)
	}
	if err := send(t, made(t, terminalKind, &Terminal{}, nil), opened()); err == nil || !strings.Contains(err.Error(), "there is no terminal") {
		t.Errorf("%v", err)
	}
}

// TestPlantedSecretsStayHere: neither a command nor the terminal gets one.
func TestPlantedSecretsStayHere(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	var screen bytes.Buffer
	maker := NewMaker(Options{Now: time.Now, Terminal: &screen})
	command := maker.Receiver("run", commandKind, &Command{Command: script(t, `cat >"$1"`, out)})
	terminal := maker.Receiver("me", terminalKind, &Terminal{Style: StyleOSC777})
	for _, n := range plantedNotices() {
		if err := errors.Join(send(t, command, n), send(t, terminal, n)); err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(out)
		if err != nil || strings.Contains(string(body), planted) || strings.Contains(screen.String(), planted) {
			t.Errorf("%v: %.300s\n%q", err, body, screen.String())
		}
		screen.Reset()
	}
}
