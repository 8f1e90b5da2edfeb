package faults

import (
	"net/http"
	"net/http/httptest"
	"time"
)

// Fault is one way to misbehave.
type Fault struct {
	// Words are for people.
	Words string
	// serve answers in place of the cluster.
	serve func(w http.ResponseWriter, r *http.Request, cluster http.Handler)
	// silent is true where no answer arrives, which a deadline has to end.
	silent bool
	// unbounded is true where limits of the program's own have to end it, for
	// which no --request-timeout is set.
	unbounded bool
	// heavy is true where both sides work hard for as long as they may.
	heavy bool
	// wire is a fault of the connection instead.
	wire wireFault
}

// abort breaks the connection, or the stream of an HTTP/2 connection.
func abort() { panic(http.ErrAbortHandler) }

// hang sends nothing more until the client leaves.
func hang(r *http.Request) { <-r.Context().Done() }

// Faults of answers.
var (
	HangsBefore = Fault{Words: "no answer", silent: true, serve: func(_ http.ResponseWriter, r *http.Request, _ http.Handler) { hang(r) }}
	HangsAfter  = Fault{Words: "headers, then nothing", silent: true, serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		flush(w)
		hang(r)
	}}
	HangsWithin = Fault{Words: "half an answer, then nothing", silent: true, serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		half(w, r, c)
		hang(r)
	}}
	Slow = Fault{Words: "each answer takes 3 s", serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		select {
		case <-time.After(3 * time.Second):
			c.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}}
	VerySlow = Fault{Words: "each answer takes 12 s", unbounded: true, serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		select {
		case <-time.After(12 * time.Second):
			c.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}}
	Cut = Fault{Words: "the connection breaks in the middle of the answer", serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		half(w, r, c)
		abort()
	}}
	WrongLength = Fault{Words: "a Content-Length that is too large", serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		body := whole(w, r, c)
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write(body)
		flush(w)
		abort()
	}}
	Drips = Fault{Words: "one byte in 100 ms", silent: true, serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		drip(w, r, whole(w, r, c))
	}}
)

// whole is the body that the cluster answers with; its headers are set.
func whole(w http.ResponseWriter, r *http.Request, c http.Handler) []byte {
	recorder := httptest.NewRecorder()
	ends, stop := ended(r)
	defer stop()
	c.ServeHTTP(recorder, ends)
	for name, values := range recorder.Header() {
		w.Header()[name] = values
	}
	return recorder.Body.Bytes()
}

// half sends the first half of an answer.
func half(w http.ResponseWriter, r *http.Request, c http.Handler) {
	body := whole(w, r, c)
	_, _ = w.Write(body[:len(body)/2])
	flush(w)
}

func drip(w http.ResponseWriter, r *http.Request, body []byte) {
	every := time.NewTicker(100 * time.Millisecond)
	defer every.Stop()
	for i := range body {
		select {
		case <-every.C:
			_, _ = w.Write(body[i : i+1])
			flush(w)
		case <-r.Context().Done():
			return
		}
	}
}
