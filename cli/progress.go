package cli

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// A command that is silent for longer reports what it reads, and repeats that
// while it continues.
const (
	firstProgress = 5 * time.Second
	nextProgress  = 10 * time.Second
)

// reportProgress reports the progress of reading on standard error, until it is
// stopped.
func (s *session) reportProgress(progress func() string) (stop func()) {
	return sayWhile(progress, func(text string) {
		if s.messages != nil {
			fmt.Fprintf(s.messages, "traintop: %s\n", termtext.Line(text))
		}
	})
}

// sayWhile reports progress, until it is stopped.
func sayWhile(progress func() string, say func(string)) (stop func()) {
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		timer := time.NewTimer(firstProgress)
		defer timer.Stop()
		for {
			select {
			case <-done:
				return
			case <-timer.C:
			}
			if text := progress(); text != "" {
				say(text)
			}
			timer.Reset(nextProgress)
		}
	}()
	return func() {
		close(done)
		<-stopped
	}
}

// readingProgress names the sources that have not been read to their end.
func (s *session) readingProgress() string {
	var reading []string
	for _, h := range s.store.Snapshot().Health() {
		switch {
		case h.State != train.SourceListing:
		case h.Text == "":
			reading = append(reading, h.Source+": reading")
		default:
			reading = append(reading, h.Text)
		}
	}
	return strings.Join(termtext.FewLines(reading, 3), "; ")
}

// countedLines counts the lines of logs on their way to a sink.
type countedLines struct {
	sources.Sink
	lines, bytes atomic.Int64
}

// Apply implements sources.Sink.
func (c *countedLines) Apply(events ...store.Event) {
	for _, event := range events {
		if logged, is := event.(store.Logged); is {
			c.lines.Add(int64(len(logged.Lines)))
			for i := range logged.Lines {
				c.bytes.Add(int64(len(logged.Lines[i].Text)))
			}
		}
	}
	c.Sink.Apply(events...)
}

func (c *countedLines) progress() string {
	return fmt.Sprintf("reading logs, %d lines (%d MiB) so far", c.lines.Load(), c.bytes.Load()>>20)
}
