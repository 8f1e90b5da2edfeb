// Package outlets are where a watcher's notices go: standard output, the
// receivers of the configuration, or, for a dry run, a line that shows what they
// would get.
package outlets

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/alerts/receivers"
	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/termtext"
)

// Done gets the result of each notice.
type Done func(alerts.Notice, alerts.Delivery)

// Printed is standard output.
type Printed struct {
	Out io.Writer
	// JSON prints one object a line.
	JSON bool
	Now  func() time.Time
	Done Done
	// Failed is why the first notice that could not be printed was not, nil for none.
	Failed error
}

// Name implements alerts.Outlet.
func (*Printed) Name() string { return alerts.StandardOutput }

// Queue implements alerts.Outlet. A notice that cannot be printed is not printed
// again: its reader has left.
func (p *Printed) Queue(n alerts.Notice) {
	var err error
	if p.JSON {
		var text []byte
		if text, err = json.Marshal(receivers.PayloadOf(n)); err == nil {
			_, err = fmt.Fprintf(p.Out, "%s\n", jsontext.Safe(text))
		}
	} else {
		_, err = fmt.Fprintln(p.Out, Text(n))
	}
	d := alerts.Delivery{Receiver: alerts.StandardOutput, Change: n.Change, At: p.Now()}
	if err != nil {
		d.Failed = err.Error()
		p.Failed = cmp.Or(p.Failed, fmt.Errorf("writing incidents to standard output: %w", err))
	}
	go p.Done(n, d) // the watcher that queues holds its lock
}

// Text is a notice as lines for a terminal.
func Text(n alerts.Notice) string {
	m := alerts.MessageOf(n)
	lines := []string{n.At.Local().Format(time.TimeOnly) + " " + m.Heading}
	for _, f := range m.Fields {
		lines = append(lines, "    "+f.Name+": "+f.Text)
	}
	if m.Evidence != "" {
		lines = append(lines, "    evidence: "+m.Evidence)
	}
	if m.Command != "" {
		lines = append(lines, "    here: "+m.Command)
	}
	return strings.Join(lines, "\n")
}

// Sender is a receiver of the configuration.
type Sender struct {
	name   string
	sender *receivers.Sender
}

// NewSender starts to send to a receiver. say gets a message when the receiver
// takes no notices for a while, and when it does again.
func NewSender(r alerts.Receiver, now func() time.Time, done Done, say func(string)) *Sender {
	trouble := func(err error) {
		if err == nil {
			say(r.Name() + " answers again")
			return
		}
		say(fmt.Sprintf("%s does not take notices: %v; each is tried again for %s (traintop notify test %[1]s tries one)", r.Name(), err, hours(receivers.DefaultMaxAge)))
	}
	return &Sender{r.Name(), receivers.NewSender(receivers.SenderOptions{Receiver: r, Now: now, Delivered: done, Trouble: trouble})}
}

// hours writes a number of whole hours.
func hours(d time.Duration) string { return termtext.Count(int(d/time.Hour), "hour") }

// Name implements alerts.Outlet.
func (s *Sender) Name() string { return s.name }

// Queue implements alerts.Outlet.
func (s *Sender) Queue(n alerts.Notice) { s.sender.Send(n) }

// Close sends what waits until ctx ends, and returns how many notices were not
// sent.
func (s *Sender) Close(ctx context.Context) (unsent int) { return len(s.sender.Close(ctx)) }

// KeptAlive is a Sender whose receiver forgets an incident of which it hears
// nothing.
type KeptAlive struct {
	*Sender
	receivers.KeepAlive
}

// Dry prints which receiver would get a notice.
type Dry struct {
	Receiver string
	Say      func(string)
	Done     Done
}

// Name implements alerts.Outlet.
func (d *Dry) Name() string { return d.Receiver }

// Queue implements alerts.Outlet.
func (d *Dry) Queue(n alerts.Notice) {
	d.Say(fmt.Sprintf("%s would get: %s", d.Receiver, alerts.MessageOf(n).Heading))
}
