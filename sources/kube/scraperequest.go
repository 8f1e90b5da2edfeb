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
	// firstDeadline limits the first scrape of an exporter, which may be on a
	// dead node; scrapeDeadline those of one that is known to be slow.
	// Prometheus allows 10 s (global scrape_timeout).
	firstDeadline, scrapeDeadline = 5 * time.Second, 10 * time.Second
	// smallPage is how much of a page is read before it is parsed. Longer
	// pages are parsed as they arrive, one at a time; an exporter writes some
	// 100 KiB.
	smallPage = 1 << 20
	// clockSlack is how far a timestamp may be ahead of our clock.
	clockSlack = 5 * time.Second
)

// acceptPage requests the text format; other formats are named in the answer's
// Content-Type.
const acceptPage = "text/plain;version=0.0.4,*/*;q=0.1"

// page is an exporter's answer, or why there is none.
type page struct {
	readings []train.GPUReading
	// at is when it was read.
	at time.Time
	// cut is true if the answer broke off: GPUs missing from it are not gone.
	cut bool
	// none is true if the page is valid and has no GPU.
	none bool
	// trouble is what went wrong, "" for nothing; note is what was odd about a
	// page that was read.
	trouble, note string
	// refused is the API server's text if it refused the request.
	refused string
	// otherScheme is true if it uses https and was scraped with http, or vice
	// versa.
	otherScheme bool
	// away is true if the API server did not answer, rather than the exporter.
	away bool
}

// scrape scrapes one exporter once.
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

// unanswered distinguishes a slow exporter from an API server that is down.
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

// refusedPage interprets an answer that is not a page of metrics.
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
	case code == http.StatusNoContent:
		return page{trouble: "it answered 204, which is no answer"}
	case code == http.StatusNotFound:
		return page{trouble: fmt.Sprintf("it answered 404: there is no %s at port %d; the annotations %s and %s of its pod can say where metrics are", e.path, e.port, portAnnotation, pathAnnotation)}
	}
	return page{trouble: fmt.Sprintf("it answered %d: %s", response.StatusCode, client.Printable(string(text[:min(len(text), client.MaxCause)])))}
}

var errTooLong = fmt.Errorf("the answer is longer than %d MiB, which no exporter writes", metrics.MaxText>>20)

// read parses the page of an exporter.
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
	end := &ending{in: io.MultiReader(&head, rest)}
	answer, err := metrics.ReadAs(metrics.Exposition, end, metrics.Origin{Node: e.node})
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); err == nil && kind == openMetricsType && !end.marked() {
		err = errNoEnd
	}
	p.take(&answer, err)
	return p
}

// openMetricsType is the content type of OpenMetrics 1.0, whose pages end with
// the line endMark: one without it was cut.
const openMetricsType, endMark = "application/openmetrics-text", "# EOF"

var errNoEnd = fmt.Errorf("its last line is not %q, with which an OpenMetrics page ends", endMark)

// ending remembers the end of what is read.
type ending struct {
	in   io.Reader
	tail []byte
}

// Read implements io.Reader.
func (e *ending) Read(p []byte) (int, error) {
	n, err := e.in.Read(p)
	last := p[max(0, n-endBytes):n]
	e.tail = append(e.tail, last...)
	e.tail = e.tail[max(0, len(e.tail)-endBytes):]
	return n, err
}

// endBytes holds endMark and the line ends around it.
const endBytes = len(endMark) + 4

// marked reports whether the last line is endMark.
func (e *ending) marked() bool {
	before, isMarked := bytes.CutSuffix(bytes.TrimRight(e.tail, "\r\n"), []byte(endMark))
	return isMarked && (len(before) == 0 || before[len(before)-1] == '\n')
}

// notAPage returns why an answer is not parsed: it has another content type,
// and does not look like metrics either.
func notAPage(contentType string, head []byte) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if contentType == "" || err == nil && (kind == "text/plain" || kind == openMetricsType) {
		return ""
	}
	if metrics.Detect(head[:min(len(head), 64<<10)]) == metrics.Exposition {
		return ""
	}
	return fmt.Sprintf("it answered with %s instead of metrics", client.Printable(contentType))
}

// take evaluates the parsed page.
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

// date gives readings without a timestamp the time they were read. It also
// gives this time to timestamps from the future: the node's clock is ahead,
// and the value would never become stale. Past timestamps stay.
func (p *page) date() (note string) {
	for i := range p.readings {
		r := &p.readings[i]
		switch ahead := r.At.Sub(p.at); {
		case r.At.IsZero():
			r.At = p.at
		case ahead > clockSlack:
			note = fmt.Sprintf("its time stamps are %s ahead of this machine's clock; the numbers count as of when they were read", train.ClockGap(ahead))
			r.At = p.at
		case ahead < -time.Minute && note == "":
			note = fmt.Sprintf("its time stamps are %s old: it has stopped collecting, or its clock or this machine's is wrong", train.ClockGap(ahead))
		}
	}
	return note
}

// bounded returns an error after a limit.
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

// failing is a reader that returns the error of an answer that broke off.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
