package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/train"
)

const (
	// firstDeadline bounds the first question to an exporter, which may be on
	// a dead node; scrapeDeadline those to one that is known to be slow.
	// Prometheus gives 10 s (global scrape_timeout).
	firstDeadline, scrapeDeadline = 5 * time.Second, 10 * time.Second
	// smallPage is what is read of a page before it is parsed. Longer ones are
	// parsed while they come, one at a time: an exporter writes some 100 KiB.
	smallPage = 1 << 20
	// clockSlack is how far a time stamp may be ahead of our clock.
	clockSlack = 5 * time.Second
)

// acceptPage asks for the text format; who answers with something else says so.
const acceptPage = "text/plain;version=0.0.4,*/*;q=0.1"

// page is what an exporter answered, or why it did not.
type page struct {
	readings []train.GPUReading
	// at is when it was read.
	at time.Time
	// cut is true when the answer broke off: what is not in it is not gone.
	cut bool
	// none is true when the page is sound and tells of no GPU.
	none bool
	// trouble says what went wrong, "" for nothing; note what was odd about a
	// page that was read.
	trouble, note string
	// refused is what the API server said when it did not let us through.
	refused string
	// otherScheme is true when it speaks https and was asked in http, or the
	// other way round.
	otherScheme bool
	// away is true when not the exporter but the API server gave no answer.
	away bool
}

// scrape asks one exporter once.
func (s *scraper) scrape(ctx context.Context, e exporter, deadline time.Duration) page {
	limited, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	response, err := s.connection.GetProxied(limited, acceptPage, "/api/v1/namespaces", e.namespace, "pods", e.address(), "proxy", e.path)
	if err != nil {
		return s.unanswered(ctx, limited, err, deadline)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return refusedPage(response, e)
	}
	p := s.read(limited, response, e)
	if p.cut && errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		p.trouble = fmt.Sprintf("the answer was not complete after %s; what had come until then was used", deadline)
	}
	return p
}

// unanswered tells a slow exporter from an API server that is away.
func (s *scraper) unanswered(ctx, limited context.Context, err error, deadline time.Duration) page {
	switch {
	case ctx.Err() != nil:
		return page{away: true}
	case limited.Err() != nil:
		return page{trouble: fmt.Sprintf("no answer within %s", deadline)}
	case s.gate.failed(ctx, err):
		return page{away: true}
	}
	return page{trouble: client.Cause(err)}
}

// refusedPage reads an answer that is none of a well exporter.
func refusedPage(response *http.Response, e exporter) page {
	text := client.Beginning(response.Body)
	status := client.StatusIn(text)
	said := ""
	if status != nil {
		said = client.Printable(status.Message)
	}
	switch code := response.StatusCode; {
	case code == http.StatusForbidden && status != nil:
		return page{refused: said}
	case code == http.StatusBadRequest && bytes.Contains(text, []byte("HTTP request to an HTTPS server")), // Go's net/http
		status != nil && strings.Contains(said, "server gave HTTP response to HTTPS client"):
		return page{otherScheme: true, trouble: "it speaks the other of http and https"}
	case status != nil:
		return page{trouble: "the API server could not reach it: " + said}
	case code >= http.StatusMultipleChoices && code < http.StatusBadRequest:
		return page{trouble: fmt.Sprintf("it answered %d and points elsewhere (%s), which is not followed", code, client.Printable(response.Header.Get("Location")))}
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return page{trouble: fmt.Sprintf("it answered %d: it wants credentials, and the API server does not pass ours on; Prometheus can tell instead", code)}
	case code == http.StatusNotFound:
		return page{trouble: fmt.Sprintf("it answered 404: there is no %s at port %d; the annotations %s and %s of its pod can say where metrics are", e.path, e.port, portAnnotation, pathAnnotation)}
	}
	return page{trouble: fmt.Sprintf("it answered %d: %s", response.StatusCode, client.Printable(string(text[:min(len(text), client.MaxCause)])))}
}

var errTooLong = fmt.Errorf("the answer is longer than %d MiB, which no exporter writes", metrics.MaxText>>20)

// read reads the page that an exporter answered with.
func (s *scraper) read(ctx context.Context, response *http.Response, e exporter) page {
	p := page{at: s.now()}
	var head bytes.Buffer
	_, err := io.Copy(&head, io.LimitReader(response.Body, smallPage))
	var rest io.Reader = bytes.NewReader(nil)
	switch {
	case err != nil:
		rest = failing{err}
	case head.Len() == smallPage:
		select {
		case s.large <- struct{}{}:
			defer func() { <-s.large }()
		case <-ctx.Done():
			return page{trouble: "its answer is longer than 1 MiB, and others like it took all the time", at: p.at}
		}
		rest = &bounded{in: response.Body, left: metrics.MaxText - smallPage}
	}
	if why := notAPage(response.Header.Get("Content-Type"), head.Bytes()); why != "" {
		p.trouble = why
		return p
	}
	answer, err := metrics.ReadAs(metrics.Exposition, io.MultiReader(&head, rest), metrics.Origin{Node: e.node})
	p.take(&answer, err)
	return p
}

// notAPage says why an answer is not looked at: it is of another type, and
// does not look like metrics either.
func notAPage(contentType string, head []byte) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if contentType == "" || err == nil && (kind == "text/plain" || kind == "application/openmetrics-text") {
		return ""
	}
	if metrics.Detect(head[:min(len(head), 64<<10)]) == metrics.Exposition {
		return ""
	}
	return fmt.Sprintf("it answered with %s instead of metrics", client.Printable(contentType))
}

// take judges what was read.
func (p *page) take(answer *metrics.Answer, err error) {
	p.readings = answer.Readings
	late := p.date()
	switch {
	case err != nil:
		p.cut = true
		p.trouble = fmt.Sprintf("its answer broke off: %s; what had come until then was used", client.Cause(err))
	case len(p.readings) == 0 && len(answer.Problems) > 0:
		p.trouble = "its answer is none of an exporter: " + client.Printable(answer.Problems[0].String())
	case len(p.readings) == 0:
		p.none = answer.Note == metrics.NoGPUs
		p.trouble = "it answers with " + answer.Note
	case len(answer.Problems) > 0:
		p.note = fmt.Sprintf("%d things in its answer could not be read: %s", len(answer.Problems)+answer.Dropped, client.Printable(answer.Problems[0].String()))
	default:
		p.note = late
	}
}

// date gives readings without a time stamp the time they were read at. One
// from the future becomes that time too: the clock of the node is ahead, and
// a number would stay fresh for ever. One from the past stays what it is.
func (p *page) date() (note string) {
	for i := range p.readings {
		r := &p.readings[i]
		switch ahead := r.At.Sub(p.at); {
		case r.At.IsZero():
			r.At = p.at
		case ahead > clockSlack:
			note = fmt.Sprintf("its time stamps are %s ahead of this machine's clock; the numbers count as of when they were read", ahead.Round(time.Second))
			r.At = p.at
		case ahead < -time.Minute && note == "":
			note = fmt.Sprintf("its time stamps are %s old: it has stopped collecting, or its clock or this machine's is wrong", (-ahead).Round(time.Second))
		}
	}
	return note
}

// bounded ends with an error where a limit is passed.
type bounded struct {
	in   io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.in.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// failing is the end of an answer that broke off.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
