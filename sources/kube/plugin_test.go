package kube

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// withPlugin returns a kubeconfig whose credentials come from a shell script.
func withPlugin(t *testing.T, server, mode, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the plugin is a shell script")
	}
	file := filepath.Join(t.TempDir(), "plugin")
	writeFile(t, file, "#!/bin/sh\n"+script)
	if err := os.Chmod(file, 0o700); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: lab
clusters: [{name: lab, cluster: {server: %q}}]
contexts: [{name: lab, context: {cluster: lab, user: ada}}]
users: [{name: ada, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: %q, interactiveMode: %s}}}]
`, server, file, mode)
}

const givesToken = `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}'`

func pluginServer(t *testing.T) string {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer x" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"major":"1","minor":"34"}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A hanging plugin is named, and not the server, which got no request.
func TestAPluginThatHangsIsNamed(t *testing.T) {
	flags := flagsFor(t, withPlugin(t, pluginServer(t), "Never", "exec sleep 4\n"))
	second, insecure := "1s", true
	flags.Timeout, flags.Insecure = &second, &insecure
	c, err := New(Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	p, done := newPicture(), make(chan error, 1)
	go func() { done <- c.Run(ctx, p) }()
	defer func() { stop(); <-done }()
	for deadline := time.Now().Add(10 * time.Second); p.state("kube").State != train.SourceRetrying && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	text := p.state("kube").Text
	for _, want := range []string{"was not asked: the credential plugin of this context gave no credentials in 1s", "run it by hand to see why", "plugin`"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}

// A plugin that prints without end is ended before it fills the memory, and named.
func TestAPluginThatFloodsIsEnded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system does not say what a process wrote")
	}
	flags := flagsFor(t, withPlugin(t, pluginServer(t), "Never", "yes '{\"apiVersion\": \"client.authentication.k8s.io/v1\"}'\n"))
	minute, insecure := "1m", true
	flags.Timeout, flags.Insecure = &minute, &insecure
	c, err := client.Connect(flags, client.Timeouts{Once: true})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	err = c.Ask(t.Context(), func(ctx context.Context) error { return c.Core.Get().AbsPath("/version").MaxRetries(0).Do(ctx).Error() })
	if err == nil || !strings.Contains(err.Error(), "the credential plugin wrote more than 256 MiB where credentials were asked for, and was ended; run it by hand") {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	var memory runtime.MemStats
	if runtime.ReadMemStats(&memory); memory.HeapSys > 6<<30 || time.Since(began) > 30*time.Second {
		t.Errorf("the heap is %d MiB after %s", memory.HeapSys>>20, time.Since(began))
	}
}

// A plugin that may ask does so before the screen has the terminal, and cannot
// read from it afterwards.
func TestAPluginAsksBeforeTheScreen(t *testing.T) {
	for _, mode := range []string{"IfAvailable", "Never"} {
		flags := flagsFor(t, withPlugin(t, pluginServer(t), mode, givesToken))
		insecure := true
		flags.Insecure = &insecure
		c, err := New(Options{Flags: flags})
		if err != nil {
			t.Fatal(err)
		}
		asked := ""
		c.SignIn(t.Context(), func(command string) { asked = command })
		settings := c.connection.Plugin.Settings.Load()
		if want := mode != "Never"; (asked != "") != want || settings.StdinUnavailable != want {
			t.Errorf("%s: asked %q, standard input is away: %v", mode, asked, settings.StdinUnavailable)
		}
		if err := c.connection.Core.Get().AbsPath("/version").Do(t.Context()).Error(); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		if got := c.connection.Plugin.Words(time.Second); got != "" {
			t.Errorf("%s: %q is said of a plugin that answered", mode, got)
		}
		if mode == "Never" {
			continue
		}
		if err := c.connection.Renew(); err != nil {
			t.Fatal(err)
		}
		if !c.connection.Plugin.Settings.Load().StdinUnavailable {
			t.Error("after the kubeconfig was read again the plugin may ask behind the screen")
		}
	}
}

// A plugin's output reaches the terminal safely and once, and a screen not at
// all: then it is in the message.
func TestWhatAPluginPrints(t *testing.T) {
	before := client.PluginMessages.Out
	out := &bytes.Buffer{}
	client.PluginMessages.Out, client.PluginMessages.Quiet, client.PluginMessages.Said = out, false, map[string]bool{}
	t.Cleanup(func() {
		client.PluginMessages.Out, client.PluginMessages.Quiet, client.PluginMessages.Said = before, false, map[string]bool{}
	})
	flags := flagsFor(t, withPlugin(t, pluginServer(t), "Never", `printf '\033[31mlog in\033[0m\007\n' >&2; exit 3`))
	insecure := true
	flags.Insecure = &insecure
	c, err := New(Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	ask := func() error { return c.connection.Core.Get().AbsPath("/version").MaxRetries(0).Do(t.Context()).Error() }
	for range 2 {
		if err := ask(); err == nil || !strings.Contains(err.Error(), client.PluginFailed) {
			t.Fatalf("the plugin failed, and the error is %v", err)
		}
	}
	client.PluginMessages.Mu.Lock()
	printed := out.String()
	client.PluginMessages.Mu.Unlock()
	if strings.Count(printed, "log in") != 1 || strings.ContainsAny(printed, "\x1b\x07") {
		t.Errorf("%q was printed", printed)
	}
	c.ScreenHasTerminal()
	err = ask()
	if text := c.connection.Plugin.Failure(err); !strings.Contains(text, "; it says: ") || !strings.Contains(text, "log in") {
		t.Errorf("the message is %q", text)
	}
	if got := out.Len(); got != len(printed) {
		t.Error("it is printed onto the screen")
	}
}

// A plugin that hangs ends with the program, and so does what it started; no other
// is started after it.
func TestAPluginThatHangsEndsWithTheProgram(t *testing.T) {
	folder := t.TempDir()
	script := fmt.Sprintf("echo $$ >> %[1]s/plugins; sh -c 'echo $$ >> %[1]s/children; trap \"\" TERM; sleep 60; sleep 60' & wait; exit 1\n", folder)
	flags := flagsFor(t, withPlugin(t, pluginServer(t), "Never", script))
	insecure := true
	flags.Insecure = &insecure
	c, err := New(Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	ask := func() error { return c.connection.Core.Get().AbsPath("/version").MaxRetries(0).Do(t.Context()).Error() }
	answered := make(chan error, 1)
	go func() { answered <- ask() }()
	read := func(name string) []string {
		text, _ := os.ReadFile(filepath.Join(folder, name)) // absent at first
		return strings.Fields(string(text))
	}
	for deadline := time.Now().Add(10 * time.Second); len(read("children")) == 0 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	client.EndPlugins()
	select {
	case err := <-answered:
		if err == nil {
			t.Error("a request was answered without credentials")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a request still waits for the plugin")
	}
	if ask() == nil {
		t.Error("a request after the end was answered")
	}
	if len(read("plugins")) != 1 {
		t.Errorf("%d plugins were started", len(read("plugins")))
	}
	for _, id := range append(read("plugins"), read("children")...) {
		if !hasEnded(id) {
			t.Errorf("process %s is still there", id)
		}
	}
}

// hasEnded reports whether a process ended, within a second.
func hasEnded(id string) bool {
	for range 100 {
		state, err := exec.Command("ps", "-o", "stat=", "-p", id).Output()
		if err != nil || strings.HasPrefix(strings.TrimSpace(string(state)), "Z") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// Messages of a plugin are passed on without secrets, also where a secret comes in
// two pieces; what a person needs to log in stays.
func TestAPluginPrintsNoSecret(t *testing.T) {
	before := client.PluginMessages.Out
	out := &bytes.Buffer{}
	client.PluginMessages.Out, client.PluginMessages.Quiet, client.PluginMessages.Said = out, false, map[string]bool{}
	t.Cleanup(func() {
		client.PluginMessages.Out, client.PluginMessages.Quiet, client.PluginMessages.Said = before, false, map[string]bool{}
	})
	token := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)
	body := strings.Repeat("q8Zr4LmK", 8)
	const help = "open https://microsoft.com/devicelogin and enter the code ABC123DEF"
	script := fmt.Sprintf(`printf 'token %%s' %q >&2; sleep 0.1; printf '%%s refused\n' %q >&2
printf '%%s\n' '-----BEGIN PRIVATE KEY-----' %q '-----END PRIVATE KEY-----' %q >&2
printf 'Password: ' >&2
exit 3`, token[:12], token[12:], body, help)
	flags := flagsFor(t, withPlugin(t, pluginServer(t), "Never", script))
	insecure := true
	flags.Insecure = &insecure
	c, err := New(Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.connection.Core.Get().AbsPath("/version").MaxRetries(0).Do(t.Context()).Error()
	printed := ""
	for range 100 {
		client.PluginMessages.Mu.Lock()
		printed = out.String()
		client.PluginMessages.Mu.Unlock()
		if strings.Contains(printed, "Password: ") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if strings.Contains(printed, token[12:]) || strings.Contains(printed, body) {
		t.Errorf("a secret is in %q", printed)
	}
	if !strings.Contains(printed, help) || !strings.HasSuffix(printed, "Password: ") {
		t.Errorf("%q was printed", printed)
	}
}
