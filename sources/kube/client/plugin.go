package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// signInLimit is how long a person may take to answer a credential plugin.
const signInLimit = 5 * time.Minute

// credentialPlugin is the program that a kubeconfig names to get credentials
// (users[].user.exec). client-go runs it within the first request that needs
// them, without a time limit, with the terminal as its standard input.
//
// client-go 0.36 also collects all of its standard output in a bytes.Buffer of its
// own before it decodes any (refreshCredsLocked in plugin/pkg/client/auth/exec),
// and offers no limit, no writer and no context in its place: a plugin that prints
// without end grows this process until the plugin ends. Running it below a program
// of ours that counts its output would hide the command's name from the
// kubeconfig's allowlist of plugins (api.PluginPolicy), so that is not done: where the
// system reports how much a process wrote, a plugin is ended beyond a limit
// (floodWatch), and elsewhere by the end of the command (EndPlugins).
type credentialPlugin struct {
	command string
	// waiting counts requests without credentials so far, and turn is held by the
	// one that asks for them: client-go runs the plugin for one at a time too.
	waiting atomic.Int64
	turn    sync.Mutex
	// ended is true once the program ends: no plugin is to start any more.
	ended atomic.Bool
	// Settings are those of the configuration in use; client-go reads them
	// each time it runs the plugin.
	Settings atomic.Pointer[clientcmdapi.ExecConfig]
	// onScreen is true once a screen owns the terminal.
	onScreen bool
}

// pluginOf returns nil if a configuration needs none.
func pluginOf(config *rest.Config) *credentialPlugin {
	if config.ExecProvider == nil {
		return nil
	}
	p := &credentialPlugin{command: strings.Join(append([]string{config.ExecProvider.Command}, config.ExecProvider.Args...), " ")}
	plugins.Lock()
	defer plugins.Unlock()
	plugins.all = append(plugins.all, p)
	return p
}

// prepare calls make, which prepares client-go for the plugin.
func (p *credentialPlugin) prepare(make func() error) error {
	if p == nil {
		return make()
	}
	return PluginMessages.lend(make)
}

// watch notices when requests of a configuration got their credentials.
func (p *credentialPlugin) watch(config *rest.Config) {
	if p == nil || config.ExecProvider == nil {
		return
	}
	p.Settings.Store(config.ExecProvider)
	if p.onScreen {
		p.closeTerminal()
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &withCredentials{next, p} })
}

// closeTerminal cuts the plugin off from the terminal.
func (p *credentialPlugin) closeTerminal() {
	p.onScreen = true
	settings := p.Settings.Load()
	settings.StdinUnavailable = true
	settings.StdinUnavailableMessage = "the screen has the terminal; the credential plugin `" + Printable(p.command) + "` asked for input: leave the screen, log in with `kubectl auth whoami`, and start again"
}

// asksOnTerminal reports whether the plugin may ask a person.
func (p *credentialPlugin) asksOnTerminal() bool {
	return p != nil && p.Settings.Load().InteractiveMode != clientcmdapi.NeverExecInteractiveMode
}

// hasTerminal reports whether the plugin gets the terminal where there is one.
func (p *credentialPlugin) hasTerminal() bool {
	return p.asksOnTerminal() && !p.Settings.Load().StdinUnavailable
}

// Words returns a text that a request waits for the plugin, "" if none does.
func (p *credentialPlugin) Words(after time.Duration) string {
	if p == nil || p.waiting.Load() == 0 {
		return ""
	}
	return fmt.Sprintf("the credential plugin of this context gave no credentials in %s%s; run it by hand to see why: `%s`", after, PluginMessages.silencedLine(), Printable(p.command))
}

// Failure returns client-go's text about a failed plugin, with the plugin's
// last message if no terminal shows it; "" for another error.
func (p *credentialPlugin) Failure(err error) string {
	if p == nil || !strings.Contains(err.Error(), PluginFailed) || PluginMessages.silencedLine() == "" {
		return ""
	}
	return Cause(err) + PluginMessages.silencedLine()
}

// PluginFailed starts client-go's text about a plugin that gave no credentials
// (plugin/pkg/client/auth/exec/exec.go).
const PluginFailed = "getting credentials: "

type credentialsKey struct{}

// credentialsWait is a request that waits for its credentials.
type credentialsWait struct {
	came  func() // once it has them
	flood *floodWatch
}

// errEnded answers requests that come while the program ends.
var errEnded = errors.New(PluginFailed + "the program ends")

// beforePlugin counts requests until they have their credentials, and lets one at a
// time ask for them.
type beforePlugin struct {
	next   http.RoundTripper
	plugin *credentialPlugin
}

func (p *credentialPlugin) before(next http.RoundTripper) http.RoundTripper {
	if p == nil {
		return next
	}
	return &beforePlugin{next, p}
}

// RoundTrip implements http.RoundTripper.
func (b *beforePlugin) RoundTrip(request *http.Request) (*http.Response, error) {
	var there atomic.Bool
	flood, restoreMode := &floodWatch{}, func() {}
	defer flood.end()
	came := func() {
		if there.CompareAndSwap(false, true) {
			flood.end()
			restoreMode()
			b.plugin.waiting.Add(-1)
			b.plugin.turn.Unlock()
		}
	}
	b.plugin.waiting.Add(1)
	b.plugin.turn.Lock()
	defer came()
	if b.plugin.ended.Load() {
		if request.Body != nil {
			_ = request.Body.Close() // a RoundTripper closes it, also on errors
		}
		return nil, errEnded
	}
	if b.plugin.hasTerminal() {
		restoreMode = pluginMode.save()
	}
	flood.begin()
	response, err := b.next.RoundTrip(request.WithContext(context.WithValue(request.Context(), credentialsKey{}, &credentialsWait{came, flood})))
	if err != nil && !there.Load() {
		time.Sleep(pluginFlush)
		PluginMessages.passUnfinished() // the plugin ended: no rest comes
	}
	return response, flood.why(b.plugin, err)
}

// WrappedRoundTripper lets client-go find the inner transport.
func (b *beforePlugin) WrappedRoundTripper() http.RoundTripper { return b.next }

// withCredentials notices requests on their way to the server. client-go runs the
// plugin anew where an answer is 401, unless the program ends.
type withCredentials struct {
	next   http.RoundTripper
	plugin *credentialPlugin
}

// RoundTrip implements http.RoundTripper.
func (w *withCredentials) RoundTrip(request *http.Request) (*http.Response, error) {
	wait, waits := request.Context().Value(credentialsKey{}).(*credentialsWait)
	if waits {
		wait.came()
	}
	response, err := w.next.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusUnauthorized && w.plugin.ended.Load() {
		_ = response.Body.Close()
		return nil, errEnded
	}
	if err == nil && response.StatusCode == http.StatusUnauthorized && waits {
		wait.flood.begin() // the plugin may run again
	}
	return response, err
}

// WrappedRoundTripper lets client-go find the inner transport.
func (w *withCredentials) WrappedRoundTripper() http.RoundTripper { return w.next }

// SignIn lets a credential plugin ask on the terminal before a screen takes
// it, and cuts it off afterwards. It calls asking if the plugin may ask. It
// does not check that the server answers.
func (c *Connection) SignIn(ctx context.Context, asking func(command string)) {
	p := c.Plugin
	defer PluginMessages.silence()
	if !p.asksOnTerminal() {
		return
	}
	asking(Printable(p.command))
	ctx, stop := context.WithTimeout(WithoutLogs(ctx), signInLimit)
	defer stop()
	request := c.Core.Get().AbsPath("/version").MaxRetries(0)
	_ = request.Do(context.WithValue(ctx, signInKey{}, true)).Error()
	pluginMode.end() // also of a plugin that still runs: the screen takes the terminal now
	p.closeTerminal()
}

// ScreenHasTerminal cuts a credential plugin off from the terminal, since a
// screen is open.
func (c *Connection) ScreenHasTerminal() {
	PluginMessages.silence()
	if c.Plugin.asksOnTerminal() {
		c.Plugin.closeTerminal()
	}
}

type signInKey struct{}

// signingIn reports whether a request waits for a person.
func signingIn(ctx context.Context) bool { return ctx.Value(signInKey{}) != nil }
