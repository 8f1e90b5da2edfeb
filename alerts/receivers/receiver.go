package receivers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/traintop/traintop/alerts"
)

// Options are what all receivers share.
type Options struct {
	// Now is the clock, for signatures and dates that state when to try again.
	Now func() time.Time
	// LookupEnv reads an environment variable; nil is os.LookupEnv.
	LookupEnv func(string) (string, bool)
	// Terminal is where the kind "terminal" writes, nil for nowhere; a file that is
	// no terminal is nowhere too. Writes come
	// from one goroutine for each receiver of that kind.
	Terminal io.Writer
	// Agent is the User-Agent of requests: "traintop/1.2".
	Agent string
}

// Maker makes receivers that share connections. It is for any goroutine.
type Maker struct {
	options Options
	shared  *http.Client
	timeout time.Duration
}

// NewMaker makes a maker. Proxies are those of the environment now.
func NewMaker(o Options) *Maker {
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	if o.Agent == "" {
		o.Agent = "traintop"
	}
	return &Maker{options: o, shared: newClient(nil), timeout: requestTimeout}
}

// Receiver makes a receiver of a service whose Check found no problem. The kind
// is the one that the service is of.
func (m *Maker) Receiver(name string, kind Kind, service Service) alerts.Receiver {
	r := &receiver{name: name, kind: kind, service: service, options: &m.options, clients: &clients{shared: m.shared, timeout: m.timeout}}
	if keeps, is := service.(KeepAlive); is {
		return &keptAlive{r, keeps}
	}
	return r
}

// KeepAlive is the ability of receivers that forget an incident of which they
// hear nothing.
type KeepAlive interface {
	// KeepsAlive is how often an open incident has to be sent again, as a notice
	// Repeated, so that it stays open there. Such a notice notifies nobody again.
	KeepsAlive() time.Duration
}

// receiver sends notices to a service.
type receiver struct {
	name    string
	kind    Kind
	service Service
	options *Options
	clients *clients
}

// keptAlive is a receiver with the ability KeepAlive.
type keptAlive struct {
	*receiver
	KeepAlive
}

// Name implements alerts.Receiver.
func (r *receiver) Name() string { return r.name }

// Rates are how often it may be sent to.
func (r *receiver) Rates() []Rate { return r.kind.Rates }

// Send implements alerts.Receiver.
func (r *receiver) Send(ctx context.Context, n alerts.Notice) error {
	s := &sending{options: r.options, clients: r.clients, title: r.kind.Title, message: alerts.MessageOf(n)}
	err := r.service.send(ctx, s, n)
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return fmt.Errorf("send to %s (%s): %w", r.name, r.kind.Title, ended)
	}
	text := fmt.Errorf("send to %s (%s): %s", r.name, r.kind.Title, s.hide(err.Error()))
	if again := (*alerts.RetryError)(nil); errors.As(err, &again) {
		return &alerts.RetryError{Err: text, After: again.After}
	}
	return text
}
