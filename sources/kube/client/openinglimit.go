package client

import (
	"net/http"

	"k8s.io/client-go/rest"
)

// LimitOpening limits how long connections of a configuration may take to open;
// afterwards they may be silent.
func LimitOpening(config *rest.Config, p Timeouts) *rest.Config {
	limits := Deadlines{Begin: OpenLimit}
	switch {
	case p.Timeout > 0:
		limits.Begin = p.Timeout
	case p.Endless:
		return config
	}
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &Upgrading{next, limits} })
	return config
}

// Upgrading is a transport whose connections must open in time.
type Upgrading struct {
	Next   http.RoundTripper
	Limits Deadlines
}

// RoundTrip implements http.RoundTripper.
func (u *Upgrading) RoundTrip(request *http.Request) (*http.Response, error) {
	w := NewAnswerWait(request.Context(), u.Limits)
	response, err := w.ask(u.Next, request)
	if err != nil {
		err = w.why(err)
		w.end()
	}
	return response, err
}
