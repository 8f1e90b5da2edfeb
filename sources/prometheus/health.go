package prometheus

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/train"
)

// SourceName is the name of the source in health, and as the source of readings.
// PartSource (some of the queries about GPUs), UsageSource and PastSource are parts
// of it that can fail alone.
const (
	SourceName  = "prometheus"
	PartSource  = "prometheus/numbers"
	UsageSource = "prometheus/nodes-and-pods"
	PastSource  = train.GPUPastSource
)

// forbidden reports whether a person has to grant access or fix credentials.
func forbidden(err error) bool {
	refused := (*refusedError)(nil)
	return errors.As(err, &refused) && (refused.code == http.StatusForbidden || refused.code == http.StatusUnauthorized)
}

// trouble makes the health state for an error: what was tried, what happened and
// what to do.
func trouble(what string, e *Endpoint, err error) train.Health {
	h := train.Health{State: train.SourceRetrying, Text: what + ": " + oneLine(err.Error()) + advice(e, err)}
	refused := (*refusedError)(nil)
	if !errors.As(err, &refused) || !forbidden(err) {
		return h
	}
	h.State = train.SourceForbidden
	if refused.apiServer && refused.code == http.StatusForbidden {
		namespace, name := serviceOf(e)
		h.Verb, h.Resource, h.Namespace = "get", "services/proxy", namespace
		h.Text = fmt.Sprintf("%s was refused: %s; it needs a Role in namespace %s with verb get on services/proxy "+
			"(check with `kubectl auth can-i get services/%s --subresource=proxy -n %s`), or name an address that answers directly with --prometheus URL",
			what, refused.said, namespace, name, namespace)
	}
	return h
}

func serviceOf(e *Endpoint) (namespace, name string) {
	if e == nil {
		return "", ""
	}
	namespace, name, _ = strings.Cut(e.Service, "/")
	return namespace, name
}

// narrow is the advice how to make queries smaller.
const narrow = "; narrow it with match under prometheus in the configuration, such as cluster=\"NAME\" (docs/configuration.md)"

// advice is what a person can do about an error, as the end of a sentence.
func advice(e *Endpoint, err error) string {
	refused, said, long := (*refusedError)(nil), (*metrics.PromError)(nil), (*tooLongError)(nil)
	crowded, many, malformed := (*crowdedError)(nil), (*metrics.PromTooMany)(nil), (*metrics.PromMalformed)(nil)
	switch {
	case errors.As(err, &crowded), errors.As(err, &many):
		return narrow
	case errors.As(err, &malformed) && e != nil && e.Service != "":
		return "; check what answers behind that Service, or name the address of Prometheus with --prometheus URL"
	case errors.As(err, &malformed) && malformed.Page:
		return "; that is a login page or another program, not the Prometheus API: check the URL, and the credentials under prometheus in the configuration"
	case errors.As(err, &malformed):
		return "; check that the URL leads to the Prometheus API and what stands in between, a proxy or a gateway: `curl URL/api/v1/query?query=up` shows what it answers"
	case errors.As(err, &refused):
		return refused.advice(e)
	case errors.As(err, &said):
		return "; this part is left out"
	case errors.As(err, &long):
		return narrow
	}
	return ""
}

func (r *refusedError) advice(e *Endpoint) string {
	through := e != nil && e.Service != ""
	switch {
	case r.location != "":
		return "; it points to " + r.location + ", which is not followed: if that is a login, name an address behind it, else give that address itself"
	case r.code == http.StatusUnauthorized && r.apiServer:
		return "; the API server does not accept the credentials of this context: log in again"
	case r.code == http.StatusUnauthorized && through:
		return "; the API server does not pass our credentials on: name its address with --prometheus URL, and its token in the configuration"
	case r.code == http.StatusUnauthorized:
		return "; this Prometheus wants credentials, or others than it was given: set bearerTokenFile, or username and passwordFile, or certFile and keyFile, under prometheus in the configuration (docs/configuration.md)"
	case r.code == http.StatusForbidden:
		return "; this Prometheus does not let us ask with the credentials it was given, or wants some: set bearerTokenFile, or username and passwordFile, or headers (X-Scope-OrgID), under prometheus in the configuration (docs/configuration.md)"
	case r.apiServer:
		return ""
	case r.code == http.StatusNotFound:
		return "; the API is not there: a prefix may be missing from the URL (/prometheus, /select/0/prometheus)"
	case r.page:
		return "; that is a login page or another program, not the Prometheus API: check the URL"
	case r.code == http.StatusServiceUnavailable && r.kind == "":
		return "; it is starting (after a restart it reads its log first) or overloaded"
	case tooMuch(r):
		return "; the question is too much for it"
	}
	return ""
}

// healthReporter reports health states, each once.
type healthReporter struct {
	apply func(train.Health)
	now   func() time.Time
	// secrets are values that an answer may quote and that nothing shows to be secret.
	secrets []string

	mu   sync.Mutex
	said map[string]train.Health
}

func newHealthReporter(now func() time.Time, apply func(train.Health)) *healthReporter {
	return &healthReporter{apply: apply, now: now, said: map[string]train.Health{}}
}

// report reports a state, with secrets of its text masked: an answer may quote the
// request and its token. It keeps Since for as long as the state lasts.
func (t *healthReporter) report(source string, h train.Health, retryIn time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, secret := range t.secrets {
		h.Text = strings.ReplaceAll(h.Text, secret, redact.NamedCredentials.Placeholder())
	}
	h.Source, h.Text = source, redact.Text(h.Text)
	if retryIn > 0 {
		h.Retry = t.now().Add(retryIn)
	}
	before, known := t.said[source]
	h.Since = t.now()
	if known && before.State == h.State {
		h.Since = before.Since
	}
	if known && before == h || !known && h.State == "" {
		return
	}
	t.said[source] = h
	if h.State == "" {
		delete(t.said, source)
	}
	t.apply(h)
}

// settled reports whether a first answer, good or bad, was reported.
func (t *healthReporter) settled(source string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.said[source].State.Settled()
}

// well clears the trouble of a part.
func (t *healthReporter) well(source string) { t.report(source, train.Health{}, 0) }
