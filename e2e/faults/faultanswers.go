package faults

import (
	"context"
	"fmt"
	"net/http"
)

// ended is a request whose stream the cluster ends at once.
func ended(r *http.Request) (*http.Request, context.CancelFunc) {
	ctx, stop := context.WithCancel(r.Context())
	stop()
	return r.WithContext(ctx), stop
}

// Refusals and wrong answers.
var (
	Unauthorized = refuses(http.StatusUnauthorized, "Unauthorized", "Unauthorized")
	Forbidden    = Fault{Words: "403 Forbidden", serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		t := targetOf(r.URL.Path)
		refuse(w, http.StatusForbidden, "Forbidden", fmt.Sprintf(`%s is forbidden: User "jane" cannot %s resource %q in API group "" at the cluster scope`, t.plural, "list", t.plural))
	}}
	NotFound    = refuses(http.StatusNotFound, "NotFound", "the server could not find the requested resource")
	Failing     = refuses(http.StatusInternalServerError, "InternalError", "etcdserver: request timed out")
	Unavailable = refuses(http.StatusServiceUnavailable, "ServiceUnavailable", "the server is currently unable to handle the request")
	Throttled   = Fault{Words: "429 with Retry-After", serve: func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, "TooManyRequests", "too many requests, please try again later")
	}}
	Gone = refuses(http.StatusGone, "Expired", "too old resource version: 1000 (2000)")
	HTML = Fault{Words: "a login page in HTML", serve: func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to continue</body></html>"))
	}}
	WrongType = Fault{Words: "a wrong Content-Type", serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		body := whole(w, r, c)
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(body)
	}}
	RedirectLoop = Fault{Words: "a redirect to itself", serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, r.URL.String(), http.StatusFound)
	}}
	Another = Fault{Words: "another cluster answers", serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		anotherCluster().ServeHTTP(w, r)
	}}
	// RedirectElsewhere redirects to an address where nothing listens: a client
	// that follows it reports that, and one that sends the token with it would
	// have leaked it.
	RedirectElsewhere = Fault{Words: "a redirect to another host", serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, "https://127.0.0.2:9/login", http.StatusFound)
	}}
)

// refuses answers with a Status.
func refuses(code int, reason, message string) Fault {
	return Fault{Words: fmt.Sprintf("%d %s", code, http.StatusText(code)), serve: func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		refuse(w, code, reason, message)
	}}
}
