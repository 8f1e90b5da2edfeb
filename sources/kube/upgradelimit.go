package kube

import (
	"net/http"
	"time"

	"k8s.io/client-go/rest"
)

// upgradeLimit is how long a connection for a command or a terminal may take
// to be made. The API server gives up on a dead node after 30 s, and says so.
const upgradeLimit = forwardDialTimeout + readLimit

// inTime bounds how long the connections of a configuration may take to be
// made; what they carry then may be silent.
func inTime(config *rest.Config, p patience) *rest.Config {
	limits := deadlines{begin: upgradeLimit}
	switch {
	case p.timeout > 0:
		limits.begin = p.timeout
	case p.endless:
		return config
	}
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &upgrading{next, limits} })
	return config
}

// upgrading is a transport whose connections must be made in time.
type upgrading struct {
	next   http.RoundTripper
	limits deadlines
}

// RoundTrip implements http.RoundTripper.
func (u *upgrading) RoundTrip(request *http.Request) (*http.Response, error) {
	w := newAnswerWait(request.Context(), u.limits)
	response, err := w.ask(u.next, request)
	if err != nil {
		err = w.why(err)
		w.end()
	}
	return response, err
}

// forwardDialTimeout bounds one attempt to reach a pod.
const forwardDialTimeout = 30 * time.Second
