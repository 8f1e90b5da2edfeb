package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/net"
)

// pausesAfterClosed are the waits before retrying a request whose connection
// was closed without an answer; a load balancer that fails over answers by
// then. client-go alone would retry for 10 s, three times in a row.
var pausesAfterClosed = []time.Duration{300 * time.Millisecond, 700 * time.Millisecond, 1500 * time.Millisecond}

// closedError reports that connections were closed without an answer. It does
// not wrap the last error, since client-go would retry for that.
type closedError struct {
	times int
	over  time.Duration
	cause string
}

// Error returns how often that happened, and in which time.
func (e *closedError) Error() string {
	return fmt.Sprintf("the connection was closed without an answer, %d times in %s (%s)", e.times, e.over, e.cause)
}

// Timeout and Temporary make it a net.Error, since it concerns the connection.
func (e *closedError) Timeout() bool { return false }

// Temporary implements net.Error.
func (e *closedError) Temporary() bool { return true }

// closedBefore returns the text of an error if it means that the connection
// was closed before an answer, "" for other errors.
func closedBefore(err error) string {
	switch {
	case err == nil:
		return ""
	case strings.Contains(err.Error(), "stream error: "): // of HTTP/2
		return "stream error"
	case net.IsConnectionReset(err):
		return "reset by peer"
	case net.IsHTTP2ConnectionLost(err):
		return "lost"
	case net.IsProbableEOF(err):
		return "EOF"
	}
	return ""
}

// asksAgain reports whether a request can be retried. Watches and followed
// logs cannot: their readers resume by themselves.
func asksAgain(r *http.Request) bool {
	query := r.URL.Query()
	return r.Method == http.MethodGet && (r.Body == nil || r.Body == http.NoBody) && !query.Has("watch") && !query.Has("follow")
}

// unlessClosed sends a request, and retries it if the connection was closed
// without an answer.
func unlessClosed(request *http.Request, once func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	began := time.Now() //nolint:forbidigo // a stopwatch, no time of day
	for tried := 0; ; tried++ {
		response, err := once(request)
		cause := closedBefore(err)
		late := (*LateError)(nil)
		if cause == "" || errors.As(err, &late) || !asksAgain(request) || request.Context().Err() != nil {
			return response, err
		}
		if tried == len(pausesAfterClosed) {
			over := time.Since(began).Round(100 * time.Millisecond) //nolint:forbidigo // the same
			return nil, &closedError{tried + 1, over, cause}
		}
		if !Sleep(request.Context(), pausesAfterClosed[tried]) {
			return response, err
		}
	}
}
