package ui

import (
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/traintop/traintop/actions"
)

// fakeForwarding is a forwarded port whose state a test changes.
type fakeForwarding struct {
	mu      sync.Mutex
	state   actions.ForwardState
	changed chan struct{}
	closed  chan struct{}
}

func (f *fakeForwarding) State() actions.ForwardState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

func (f *fakeForwarding) Changed() <-chan struct{} { return f.changed }

func (f *fakeForwarding) Close() { close(f.closed) }

func (f *fakeForwarding) trouble(text string, ended bool) {
	f.mu.Lock()
	f.state.Trouble, f.state.Ended = text, ended
	f.mu.Unlock()
	f.changed <- struct{}{}
}

func TestPortsAreForwardedListedAndEnded(t *testing.T) {
	before := goleak.IgnoreCurrent()
	defer func() { goleak.VerifyNone(t, before) }()
	t.Run("from the key to the end", func(t *testing.T) {
		var all []*fakeForwarding
		actor := &fakeActor{forward: func(wanted actions.Forward) (actions.Forwarding, error) {
			if wanted.Local == 1 {
				return nil, &actions.Failure{Kind: actions.Conflict, Text: "port 1 of this machine is taken"}
			}
			wanted.Local = 40000 + len(all)
			made := &fakeForwarding{state: actions.ForwardState{Forward: wanted, Bytes: 2048}, changed: make(chan struct{}, 1), closed: make(chan struct{})}
			all = append(all, made)
			return made, nil
		}}
		p := launch(t, Options{Session: Session{Actor: actor}, Environment: []string{"TERM=xterm"}}, 120, 30)
		p.waitFor("Jobs 14")
		p.press(":jobs /bert-large\r")
		p.waitFor("Jobs 1")
		p.press("F")
		p.waitFor("Forward a port of bert-large")
		p.waitFor("TensorBoard 6006")
		p.press("\x1b[C")
		p.waitFor("its number  8888")
		p.press("\x1b[D")
		p.waitFor("its number  6006")
		p.waitFor("No container declares this port")
		p.press("\t\t\t\t\r")
		p.waitFor("http://localhost:40000/")
		p.waitFor("pf 1")
		p.press("F\t\t1")
		p.waitFor("port here  1")
		p.waitUntilGone("asking the API server")
		p.press("\r\r")
		p.waitFor("port 1 of this machine is taken")
		p.press("f")
		p.waitFor("Forwarded ports 1")
		p.waitFor("2Ki")
		all[0].trouble("the connection to the pod broke; trying again", false)
		p.waitFor("trying again")
		p.press("\r")
		p.waitFor("no desktop here")
		p.press("\x04")
		p.waitFor("no port is forwarded")
		<-all[0].closed
		p.press("qF\x1b[D\t29500")
		p.waitFor("its number  29500")
		p.waitUntilGone("asking the API server")
		p.press("\t\t\t\r")
		p.waitFor("is forwarded to localhost:40001")
		p.press("\x03")
		if err := p.end(); err != nil {
			t.Error(err)
		}
		select {
		case <-all[1].closed:
		default:
			t.Error("the end of the program left a port open")
		}
	})
}

func TestForwardedPortsEndWithTheContext(t *testing.T) {
	made := &fakeForwarding{changed: make(chan struct{}, 1), closed: make(chan struct{})}
	actor := &fakeActor{forward: func(actions.Forward) (actions.Forwarding, error) { return made, nil }}
	d := drive(t, Options{Cluster: &fakeCluster{t: t}, Session: Session{Actor: actor}}, 120, 30)
	d.m.tasks.Forwards.Begin(actions.Forward{}, actions.Port{Name: "TensorBoard"})()
	if len(d.m.tasks.Forwards.States()) != 1 {
		t.Fatal("no port is forwarded")
	}
	d.command("ctx staging")
	<-made.closed
}

func TestOnlyForwardedPortsAreOpenedInTheBrowser(t *testing.T) {
	desktop := func(string) string { return ":0" }
	for address, want := range map[string]string{
		"http://localhost:6006/":       "xdg-open http://localhost:6006/",
		"https://127.0.0.1:1/x":        "xdg-open https://127.0.0.1:1/x",
		"http://[::1]:8265/":           "xdg-open http://[::1]:8265/",
		"http://example.com/":          "",
		"http://localhost@example.com": "",
		"file:///etc/passwd":           "",
		"javascript:alert(1)":          "",
		"-x":                           "",
	} {
		got, err := browserFor("linux", desktop, address)
		if strings.Join(got, " ") != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}
