package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// Limits without --request-timeout. With it, each request may take that long
// in all, and a watch or followed log that long to begin.
const (
	// ReadLimit is how long an answer may take to begin, and then for each
	// further leastBytes. API servers queue requests for up to 15 s.
	ReadLimit = 15 * time.Second
	// LogLimit is the same for a log that is read to its present end. Many are
	// read at once, and a command waits for the slowest.
	LogLimit = 10 * time.Second
	// WatchLimit is how long a watch may take to begin. It stays open while
	// nothing happens.
	WatchLimit = 30 * time.Second
	// ProbeLimit limits one check whether the server answers.
	ProbeLimit = 10 * time.Second
	// ChangeLimit limits one change: webhooks may take 30 s each (the most that
	// a webhook's timeoutSeconds allows), and the server gives up after 60 s.
	ChangeLimit = 65 * time.Second
	// ForwardLimit limits one attempt to reach a port of a pod.
	ForwardLimit = 30 * time.Second
	// OpenLimit is how long the connection of a command or a terminal may take to
	// open. The API server gives up on a dead node after 30 s, and reports it.
	OpenLimit = ForwardLimit + ReadLimit
	// leastBytes distinguishes a slow answer from one that only keeps the
	// connection open.
	leastBytes = 32 << 10
	// watchOverrun is how long a watch may outlast its timeoutSeconds.
	watchOverrun = time.Minute
	// AbandonAfter is how long an abandoned request may take to end: a hanging
	// credential plugin ignores deadlines.
	AbandonAfter = time.Second
)

// LateError reports that a request got no answer, or only a part of it, in
// time.
type LateError struct {
	After time.Duration
	Stage answerStage
}

// answerStage is how far an answer had come.
type answerStage uint8

const (
	NotBegun answerStage = iota
	NotComplete
	stoppedComing
	noObject
)

// Error names the missing part and the time limit.
func (e *LateError) Error() string {
	switch e.Stage {
	case NotComplete:
		return fmt.Sprintf("no complete answer in %s", e.After)
	case noObject:
		return fmt.Sprintf("the list brought no further object in %s", e.After)
	case stoppedComing:
		return fmt.Sprintf("the answer stopped before its end: nothing more in %s", e.After)
	}
	return fmt.Sprintf("no answer in %s", e.After)
}

// Timeout implements that part of net.Error which net/http looks for.
func (e *LateError) Timeout() bool { return true }

// TimeoutHint returns an addition to the message about a late answer, "" for
// another error.
func TimeoutHint(err error) string {
	if !IsLate(err) {
		return ""
	}
	return "; --request-timeout waits longer"
}

// IsLate reports whether an answer was late.
func IsLate(err error) bool {
	late := (*LateError)(nil)
	return errors.As(err, &late)
}

// Deadlines limit one request; zero means no limit.
type Deadlines struct {
	Begin, Silence, Whole time.Duration
}

// RequestTimeout parses --request-timeout as kubectl does: how long to wait
// before giving up on a single server request, as a duration or a plain number
// of seconds.
func RequestTimeout(text string) (time.Duration, error) {
	limit, err := clientcmd.ParseTimeout(text)
	if err == nil && limit < 0 {
		err = fmt.Errorf("%s is less than nothing", limit)
	}
	return limit, err
}

// Timeouts sets how long requests of a connection may take.
type Timeouts struct {
	// Timeout is --request-timeout, 0 for the limits above.
	Timeout time.Duration
	// Endless is true for --request-timeout=0: the user wants to wait.
	Endless bool
	// Once is true for a command that prints one answer and follows nothing.
	Once bool
	// Until is the deadline for all objects of a printed answer, zero for
	// none.
	Until time.Time
}

// Question returns how long a small request may take. For a printed answer it
// is at least as long as for a list.
func (p Timeouts) Question() time.Duration {
	switch {
	case p.Timeout > 0:
		return p.Timeout
	case p.Once:
		return ReadLimit
	}
	return ProbeLimit
}

// Of returns the deadlines of a request. It recognises watches and followed
// logs by their query, so that callers need not mark them and cannot forget to
// limit the rest.
func (p Timeouts) Of(r *http.Request) Deadlines {
	query := r.URL.Query()
	switch {
	case query.Get("follow") == "true":
		return Deadlines{} // a kubelet answers with the first line (logsilence.go)
	case query.Get("watch") == "true" || query.Get("watch") == "1":
		return p.ofWatch(query.Get("timeoutSeconds"))
	case p.Timeout > 0:
		return Deadlines{Whole: p.Timeout}
	case p.Endless:
		return Deadlines{}
	case r.Method != http.MethodGet:
		return Deadlines{Begin: ChangeLimit, Silence: ReadLimit}
	case isLogPath(r.URL.Path):
		return Deadlines{Begin: LogLimit, Silence: LogLimit}
	}
	return Deadlines{Begin: ReadLimit, Silence: ReadLimit}
}

// isLogPath matches /api/v1/namespaces/NAMESPACE/pods/POD/log.
func isLogPath(path string) bool {
	return strings.HasSuffix(path, "/log") && strings.Contains(path, "/pods/")
}

// ofWatch limits a watch that the server should have ended by itself.
func (p Timeouts) ofWatch(seconds string) Deadlines {
	limits := Deadlines{Begin: WatchLimit}
	if p.Timeout > 0 {
		limits.Begin = p.Timeout
	} else if p.Endless {
		limits.Begin = 0
	}
	if n, err := strconv.Atoi(seconds); err == nil && n > 0 {
		limits.Whole = time.Duration(n)*time.Second + watchOverrun
	}
	return limits
}

// TimedTransport is a transport whose requests fail when their answer is late.
type TimedTransport struct {
	Next     http.RoundTripper
	Patience Timeouts
	// Large holds the turns of answers that are buffered whole.
	Large chan struct{}
	// Heard is called with every part of an answer; nil for nothing.
	Heard func()
	// Dated is called with the beginning of every answer, when its request was sent and
	// when it came; nil for nothing.
	Dated func(request *http.Request, response *http.Response, sent, received time.Time)
	// Through names the proxy that requests are sent through, "" for none.
	Through string
}

func (p *TimedTransport) heard() {
	if p.Heard != nil {
		p.Heard()
	}
}

// RoundTrip implements http.RoundTripper.
func (p *TimedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	return unlessClosed(request, p.once)
}

func (p *TimedTransport) once(request *http.Request) (*http.Response, error) {
	limits := p.Patience.Of(request)
	if signingIn(request.Context()) {
		limits = Deadlines{}
	}
	w := NewAnswerWait(request.Context(), limits)
	sent := time.Now() //nolint:forbidigo // this machine's clock is compared with the server's
	response, err := w.ask(p.Next, request)
	if err != nil {
		err = throughProxy(w.why(err), p.Through)
		w.end()
		return nil, err
	}
	p.heard()
	if p.Dated != nil {
		p.Dated(request, response, sent, time.Now()) //nolint:forbidigo // as above
	}
	if err := wholeAnswer(request, response); err != nil {
		w.end()
		return nil, err
	}
	boundEvents(request, response)
	response.Body = &TimedBody{ReadCloser: response.Body, Wait: w, most: mostOfBody(request), turn: largeTurn{turns: p.Large}, heard: p.heard}
	return response, nil
}

// wholeAnswer refuses an answer that something before the server, a proxy or a cache,
// made: a part of one that was not asked for (206), in which nothing shows that it is
// one, and none at all (204, 205). The API server answers a GET with an object or a
// Status, and a log without lines with 200 (kube-apiserver 1.36). Servers behind its
// proxies may answer as they like.
func wholeAnswer(request *http.Request, response *http.Response) error {
	says := ""
	switch code := response.StatusCode; {
	case code == http.StatusPartialContent && request.Header.Get("Range") == "":
		says = fmt.Sprintf("the answer is a part of one (%s, %s), which nobody asked for: something between the API server and here cuts answers",
			Printable(response.Status), cmp.Or(Printable(response.Header.Get("Content-Range")), "of no range"))
	case (code == http.StatusNoContent || code == http.StatusResetContent) && request.Method == http.MethodGet && !isProxied(request.URL.Path):
		says = fmt.Sprintf("the answer is without content (%s), which the API server never sends: something between it and here answers in its place", Printable(response.Status))
	default:
		return nil
	}
	_ = response.Body.Close() // what is in it is not read
	return errors.New(says)
}

// isProxied matches paths of servers behind the API server's proxies.
func isProxied(path string) bool { return strings.Contains(path, "/proxy/") }

// mostOfBody returns how many bytes of an answer to read, 0 for no limit.
func mostOfBody(r *http.Request) int64 {
	query := r.URL.Query()
	if query.Has("watch") || query.Has("follow") || isLogPath(r.URL.Path) || isProxied(r.URL.Path) {
		return 0
	}
	return mostRead(r.Context())
}

// WrappedRoundTripper lets client-go find the inner transport.
func (p *TimedTransport) WrappedRoundTripper() http.RoundTripper { return p.Next }
