package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// answers is a transport with one answer.
type answers struct{ contentType, text string }

// RoundTrip implements http.RoundTripper.
func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {a.contentType}}, Body: io.NopCloser(strings.NewReader(a.text)), Request: r}, nil
}

// TestAnEventOfAWatchIsBounded checks that a watch ends at an event larger than any
// that client-go passes on, wherever braces and quotes are in it, and that many
// events, and watches in frames that state their length, have no limit.
func TestAnEventOfAWatchIsBounded(t *testing.T) {
	event := func(name string) string {
		return `{"type":"ADDED","object":{"kind":"Pod","name":"` + name + `"}}` + "\n"
	}
	sized := func(bytes int) string { return event(strings.Repeat("a", bytes-len(event(""))+1)) } // but for its newline
	large := strings.Repeat("a", MostOfEvent/4)
	for name, c := range map[string]struct {
		answers
		query   string
		bounded bool
	}{
		"one without an end":    {answers{"application/json", event(strings.Repeat("}\\\"", 2*MostOfEvent))}, "?watch=true", true},
		"nested without an end": {answers{"application/json;stream=watch", strings.Repeat(`{"a":`, MostOfEvent)}, "?watch=1", true},
		"one byte too large":    {answers{"application/json", event("b") + sized(MostOfEvent+1) + event("c")}, "?watch=true", true},
		"as large as may be":    {answers{"application/json", event("b") + sized(MostOfEvent) + event("c")}, "?watch=true", false},
		"many":                  {answers{"application/json", strings.Repeat(event(large), 12)}, "?watch=true", false},
		"in frames of protobuf": {answers{"application/vnd.kubernetes.protobuf;stream=watch", strings.Repeat("\x00\x00\x00\x05{{{{{\x00\x00\x00\x00", MostOfEvent/4)}, "?watch=true", false},
		"a frame of 17 MiB":     {answers{"application/vnd.kubernetes.protobuf;stream=watch", "\x00\x00\x00\x01{\x01\x10\x00\x00" + strings.Repeat("{", 17<<20)}, "?watch=true", true},
		"a log is no watch":     {answers{"application/json", strings.Repeat("{", 2*MostOfEvent)}, "?follow=true", false},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://cluster/api/v1/pods"+c.query, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := (&TimedTransport{Next: c.answers}).RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		came, err := io.Copy(io.Discard, response.Body)
		tooLarge := (*TooLargeError)(nil)
		if bounded := errors.As(err, &tooLarge); bounded != c.bounded || bounded && came > MostOfEvent+1<<20 || !bounded && came != int64(len(c.text)) {
			t.Errorf("%s: %d bytes of %d came, %v", name, came, len(c.text), err)
		}
		if bounded := errors.As(err, &tooLarge); bounded && !strings.Contains(name, "17 MiB") && !strings.Contains(err.Error(), "an event of the watch is larger than 16 MiB") {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(name, "17 MiB") && (err == nil || !strings.Contains(err.Error(), "an event of the watch, of 17 MiB, is larger than 16 MiB")) {
			t.Errorf("%s: %v", name, err)
		}
		_ = response.Body.Close() // it never fails
	}
}
