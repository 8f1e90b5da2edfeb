package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/emersion/go-smtp"

	"github.com/traintop/traintop/alerts/receivers"
)

// sink is a server that notes what it gets.
type sink struct {
	*httptest.Server
	mutex sync.Mutex
	got   []request
}

func newSink(t *testing.T, answers http.HandlerFunc) *sink {
	t.Helper()
	s := &sink{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mutex.Lock()
		s.got = append(s.got, request{r, body})
		s.mutex.Unlock()
		answers(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (a answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if strings.HasPrefix(a.body, "{") {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// tries sends a test message to a service with this server behind it.
func (s service) tries(t *testing.T, server *sink) (out string, code int) {
	t.Helper()
	environment := configured(t, fmt.Sprintf("receivers:\n  team: {type: %s, %s}\n", s.kind, s.settings), "URL="+server.URL+s.path, "KEY="+tokenSecret)
	out, said, code := tried(t.Context(), t, environment, "team")
	if all := out + said; strings.Contains(all, pathSecret) || strings.Contains(all, tokenSecret) {
		t.Errorf("it prints a secret: %s", all)
	}
	if strings.Contains(said, "config.yaml") {
		t.Errorf("its settings are wrong: %s", said)
	}
	return out, code
}

// refused fails where a test message is taken, or the answer lacks what a person
// has to know: why, and whether a watcher tries again.
func (s service) refused(t *testing.T, server *sink, words string, again bool) {
	t.Helper()
	out, code := s.tries(t, server)
	if code != 1 || !strings.Contains(out, words) || strings.Contains(out, "a watcher tries again") != again {
		t.Errorf("exit %d, want %q, again %t: %s", code, words, again, out)
	}
	if server.mutex.Lock(); len(server.got) > 1 {
		t.Errorf("it sent %d requests", len(server.got))
	}
	server.mutex.Unlock()
}

// Each kind of receiver is tried as a person does, against a server that checks
// what it gets and answers as the service does.
func TestServicesThatAreSentToByHTTP(t *testing.T) {
	for _, s := range services {
		t.Run(s.kind, func(t *testing.T) {
			t.Parallel()
			t.Run("takes it", func(t *testing.T) {
				server := newSink(t, s.takes.ServeHTTP)
				if out, code := s.tries(t, server); code != 0 || out != "team: it took the message\n" {
					t.Errorf("exit %d: %s", code, out)
				}
				if len(server.got) == 0 {
					t.Fatal("nothing was sent")
				}
				for _, got := range server.got {
					if err := s.wrong(got); err != nil {
						t.Errorf("%v in %s", err, got.body)
					}
				}
			})
			for _, r := range s.refusals {
				t.Run(r.body, func(t *testing.T) { s.refused(t, newSink(t, r.ServeHTTP), r.words, r.busy) })
			}
			t.Run("is busy", func(t *testing.T) {
				s.refused(t, newSink(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Retry-After", "7")
					answer{429, "slow down"}.ServeHTTP(w, r)
				}), "after 7s", true)
			})
			t.Run("moved", func(t *testing.T) {
				s.refused(t, newSink(t, func(w http.ResponseWriter, r *http.Request) {
					http.Redirect(w, r, "https://login.example.com/?next="+pathSecret, http.StatusFound)
				}), "a redirect to https://login.example.com, which is not followed", false)
			})
			t.Run("cuts", func(t *testing.T) {
				s.refused(t, newSink(t, func(w http.ResponseWriter, _ *http.Request) {
					if connection, _, err := http.NewResponseController(w).Hijack(); err == nil {
						_ = connection.Close()
					}
				}), "no answer of 127.0.0.1", true)
			})
			t.Run("says nothing", func(t *testing.T) {
				t.Parallel()
				s.refused(t, newSink(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), "nothing came within 15s", true)
			})
		})
	}
}

// mailServer is a mail server of tests; answers are its errors for a recipient.
type mailServer struct {
	answers error
	mutex   sync.Mutex
	mails   []string
}

func (m *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) { return m, nil }
func (m *mailServer) Mail(string, *smtp.MailOptions) error        { return nil }
func (m *mailServer) Rcpt(string, *smtp.RcptOptions) error        { return m.answers }
func (m *mailServer) Reset()                                      {}
func (m *mailServer) Logout() error                               { return nil }
func (m *mailServer) Data(from io.Reader) error {
	text, err := io.ReadAll(from)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.mails = append(m.mails, string(text))
	return err
}

func (m *mailServer) open(t *testing.T) (port int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server := smtp.NewServer(m)
	server.Domain = "mail.test"
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener.Addr().(*net.TCPAddr).Port
}

// Mail goes through a server, which takes it, refuses it, is busy, or goes away.
func TestMail(t *testing.T) {
	mailTo := func(t *testing.T, port int) (out string, code int) {
		t.Helper()
		out, _, code = tried(t.Context(), t, configured(t, fmt.Sprintf(
			"receivers:\n  team: {type: smtp, host: 127.0.0.1, port: %d, encryption: none, from: traintop@example.com, to: [oncall@example.com]}\n", port)), "team")
		return out, code
	}
	post := &mailServer{}
	if out, code := mailTo(t, post.open(t)); code != 0 || out != "team: it took the message\n" {
		t.Errorf("exit %d: %s", code, out)
	}
	if len(post.mails) != 1 || !strings.Contains(post.mails[0], "\r\nTo: <oncall@example.com>") || !strings.Contains(post.mails[0], "Subject: TEST") {
		t.Errorf("it got %q", post.mails)
	}
	for _, refusal := range []struct {
		answers error
		words   string
		again   bool
	}{
		{&smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}, "no such user", false},
		{&smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "greylisted"}, "greylisted", true},
	} {
		if out, code := mailTo(t, (&mailServer{answers: refusal.answers}).open(t)); code != 1 || !strings.Contains(out, refusal.words) || strings.Contains(out, "a watcher tries again") != refusal.again {
			t.Errorf("exit %d, want %q: %s", code, refusal.words, out)
		}
	}
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, gone.Close())
	if out, code := mailTo(t, gone.Addr().(*net.TCPAddr).Port); code != 1 || !strings.Contains(out, "refused") || !strings.Contains(out, "a watcher tries again") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// A command gets the notice as JSON on its standard input; its exit status reports
// whether it took it.
func TestCommand(t *testing.T) {
	runs := func(script string) (out string, code int) {
		out, _, code = tried(t.Context(), t, configured(t, "receivers:\n  team: {type: command, command: [sh, -c, "+fmt.Sprintf("%q", script)+"], timeout: 1s}\n"), "team")
		return out, code
	}
	into := filepath.Join(t.TempDir(), "notice.json")
	if out, code := runs("cat > " + into); code != 0 || out != "team: it took the message\n" {
		t.Errorf("exit %d: %s", code, out)
	}
	text, err := os.ReadFile(into)
	must(t, err)
	var notice struct {
		Version int
		Change  string
	}
	if err := json.Unmarshal(text, &notice); err != nil || notice.Version != 1 || notice.Change != "test" {
		t.Errorf("%v: it got %s", err, text)
	}
	for script, want := range map[string]string{
		"echo no such person >&2; exit 3": "the program sh ended with exit status 3: no such person",
		"exit 75":                         "a watcher tries again",
		"sleep 60":                        "did not end within 1s, and was stopped",
	} {
		if out, code := runs(script); code != 1 || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, want %q: %s", script, code, want, out)
		}
	}
}

// The terminal rings where there is one.
func TestTerminal(t *testing.T) {
	environment := configured(t, "receivers:\n  here: {type: terminal}\n", "TERM_PROGRAM=iTerm.app", "TERM=xterm-256color", "KITTY_WINDOW_ID=")
	if out, _, code := tried(t.Context(), t, environment, "here"); code != 1 || !strings.Contains(out, "there is no terminal") {
		t.Errorf("exit %d: %s", code, out)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	command := exec.CommandContext(ctx, traintop, "notify", "test", "here")
	command.Env = environment
	terminal, err := pty.Start(command)
	must(t, err)
	var drawn bytes.Buffer
	_, _ = io.Copy(&drawn, terminal) // it ends with an error once the program has
	_ = terminal.Close()
	if err := command.Wait(); err != nil || !strings.Contains(drawn.String(), "\x1b]9;traintop: TEST") || !strings.Contains(drawn.String(), "here: it took the message") {
		t.Errorf("%v: %q", err, drawn.String())
	}
}

// All receivers are tried at once, and reported in the order in which they were
// named: one that sends nothing holds up none.
func TestReceiversAreTriedTogether(t *testing.T) {
	silent := newSink(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	well := newSink(t, answer{200, ""}.ServeHTTP)
	config := "receivers:\n"
	for _, name := range []string{"a", "b", "c"} {
		config += fmt.Sprintf("  %s: {type: webhook, url: %s}\n", name, silent.URL)
	}
	began := time.Now()
	out, said, code := tried(t.Context(), t, configured(t, config+"  d: {type: webhook, url: "+well.URL+"}\n"), "all")
	if took := time.Since(began); code != 1 || took > 25*time.Second || !strings.Contains(said, "3 receivers did not take the message") {
		t.Errorf("exit %d after %s: %s%s", code, took, out, said)
	}
	var names []string
	for line := range strings.Lines(out) {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, name)
	}
	if !slices.Equal(names, []string{"a", "b", "c", "d"}) {
		t.Errorf("it says\n%s", out)
	}
}

// No kind is left out.
func TestAllKindsAreTried(t *testing.T) {
	tested := []string{"smtp", "command", "terminal"}
	for _, s := range services {
		tested = append(tested, s.kind)
	}
	for _, kind := range receivers.Types() {
		if !slices.Contains(tested, kind) {
			t.Errorf("no test tries the kind %s", kind)
		}
	}
}
