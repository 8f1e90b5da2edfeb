package kube

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// These hold where --request-timeout says nothing. With it each request has
// that long in all, and what stays open that long until it begins.
const (
	// readLimit is how long an answer may take to begin, and then to bring
	// leastBytes more of it. API servers let requests queue for up to 15 s.
	readLimit = 15 * time.Second
	// logLimit is that of a log that is read to its present end. Many are read
	// at once, and a command waits for the slowest.
	logLimit = 10 * time.Second
	// watchLimit is how long a watch may take to begin. It stays open while
	// nothing happens.
	watchLimit = 30 * time.Second
	// leastBytes tells a slow answer from one that only keeps the line open.
	leastBytes = 32 << 10
	// watchOverrun is how long a watch may outlast the time it was asked for.
	watchOverrun = time.Minute
	// abandonAfter is how long a request that was given up may take to end: a
	// credential plugin that hangs hears of no deadline.
	abandonAfter = time.Second
)

// lateError says that a request got no answer, or not all of it, in time.
type lateError struct {
	after time.Duration
	stage answerStage
}

// answerStage is how far an answer had come.
type answerStage uint8

const (
	notBegun answerStage = iota
	notComplete
	stoppedComing
	noObject
)

// Error says what did not come in which time.
func (e *lateError) Error() string {
	switch e.stage {
	case notComplete:
		return fmt.Sprintf("no complete answer in %s", e.after)
	case noObject:
		return fmt.Sprintf("the list brought no further object in %s", e.after)
	case stoppedComing:
		return fmt.Sprintf("the answer stopped before its end: nothing more in %s", e.after)
	}
	return fmt.Sprintf("no answer in %s", e.after)
}

// Timeout implements net.Error's part of it, which net/http looks for.
func (e *lateError) Timeout() bool { return true }

func isLate(err error) bool {
	late := (*lateError)(nil)
	return errors.As(err, &late)
}

// deadlines bound one request; zero bounds nothing.
type deadlines struct {
	begin, silence, whole time.Duration
}

// RequestTimeout reads --request-timeout as kubectl does: how long to wait
// before giving up on a single server request, as a duration or a plain number
// of seconds.
func RequestTimeout(text string) (time.Duration, error) {
	limit, err := clientcmd.ParseTimeout(text)
	if err == nil && limit < 0 {
		err = fmt.Errorf("%s is less than nothing", limit)
	}
	return limit, err
}

// patience says how long requests of a connection may take.
type patience struct {
	// timeout is --request-timeout, 0 for the limits above.
	timeout time.Duration
	// endless is true for --request-timeout=0: a person wants to wait.
	endless bool
	// once is true where an answer is printed, and nothing followed.
	once bool
}

// of are the deadlines of a request. What stays open is known by how it is
// asked for, so that no caller has to say so, nor can forget to bound the rest.
func (p patience) of(r *http.Request) deadlines {
	query := r.URL.Query()
	switch {
	case query.Get("follow") == "true":
		return deadlines{} // a kubelet answers with the first line (logsilence.go)
	case query.Get("watch") == "true" || query.Get("watch") == "1":
		return p.ofWatch(query.Get("timeoutSeconds"))
	case p.timeout > 0:
		return deadlines{whole: p.timeout}
	case p.endless:
		return deadlines{}
	case r.Method != http.MethodGet:
		return deadlines{begin: changeTimeout, silence: readLimit}
	case isLogPath(r.URL.Path):
		return deadlines{begin: logLimit, silence: logLimit}
	}
	return deadlines{begin: readLimit, silence: readLimit}
}

// isLogPath knows /api/v1/namespaces/NAMESPACE/pods/POD/log.
func isLogPath(path string) bool {
	return strings.HasSuffix(path, "/log") && strings.Contains(path, "/pods/")
}

// ofWatch bounds a watch that the server should have ended by itself.
func (p patience) ofWatch(seconds string) deadlines {
	limits := deadlines{begin: watchLimit}
	if p.timeout > 0 {
		limits.begin = p.timeout
	} else if p.endless {
		limits.begin = 0
	}
	if n, err := strconv.Atoi(seconds); err == nil && n > 0 {
		limits.whole = time.Duration(n)*time.Second + watchOverrun
	}
	return limits
}

// punctual is a transport whose requests end when their answer is late.
type punctual struct {
	next     http.RoundTripper
	patience patience
	// large are the turns of answers that are held as a whole.
	large chan struct{}
}

// RoundTrip implements http.RoundTripper.
func (p *punctual) RoundTrip(request *http.Request) (*http.Response, error) {
	limits := p.patience.of(request)
	if signingIn(request.Context()) {
		limits = deadlines{}
	}
	w := newAnswerWait(request.Context(), limits)
	response, err := w.ask(p.next, request)
	if err != nil {
		err = w.why(err)
		w.end()
		return nil, err
	}
	response.Body = &punctualBody{ReadCloser: response.Body, wait: w, most: mostOfBody(request), turn: largeTurn{turns: p.large}}
	return response, nil
}

// mostOfBody is how many bytes of an answer are read, 0 for all.
func mostOfBody(r *http.Request) int64 {
	query := r.URL.Query()
	if query.Has("watch") || query.Has("follow") || isLogPath(r.URL.Path) || strings.Contains(r.URL.Path, "/proxy/") {
		return 0
	}
	return mostRead(r.Context())
}

// WrappedRoundTripper lets client-go find the transport below.
func (p *punctual) WrappedRoundTripper() http.RoundTripper { return p.next }

// changeTimeout bounds one change: webhooks may take 30 s each (the most that
// a webhook's timeoutSeconds allows), and the server gives up after 60 s.
const changeTimeout = 65 * time.Second
