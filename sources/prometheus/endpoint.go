package prometheus

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
)

// Endpoint is a server of the Prometheus API.
type Endpoint struct {
	// URL is the root of the API, without /api/v1.
	URL *url.URL
	// Transport adds the credentials.
	Transport http.RoundTripper
	// Service is "namespace/name" of the server's Service in the cluster when it
	// is reached through the API server, "" when it is reached directly.
	Service string
	// secrets are the values of the headers that the settings add: no message quotes them.
	secrets []string
	// most is the maximum size of an answer after decompression; 0 is maxAnswer.
	most int64
}

// String names the server for people.
func (e *Endpoint) String() string {
	if e.Service != "" {
		return "service " + e.Service + " through the API server"
	}
	return e.URL.Redacted()
}

// maxAnswer is the maximum size of one answer after decompression: twice the size
// of ten metrics of 65,536 GPUs.
const maxAnswer = 256 << 20

// tooLongError reports that an answer exceeded the maximum size.
type tooLongError struct{ most int64 }

func (e *tooLongError) Error() string {
	return "the answer is longer than " + termtext.Bytes(e.most)
}

// get sends one request, and calls read with the answer if it is the API's.
func (e *Endpoint) get(ctx context.Context, timeout time.Duration, path string, params url.Values, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, &lateError{timeout})
	defer cancel()
	request, err := e.request(ctx, path, params)
	if err != nil {
		return err
	}
	client := http.Client{Transport: e.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return why(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := decompressed(response)
	if err != nil {
		return why(ctx, err)
	}
	bounded := &boundedReader{in: body, most: cmp.Or(e.most, maxAnswer)}
	if refused := refusal(response, bounded); refused != nil {
		return refused
	}
	if err := read(bounded); err != nil {
		if bounded.exceeded {
			return &tooLongError{bounded.most}
		}
		return why(ctx, err)
	}
	return nil
}

func (e *Endpoint) request(ctx context.Context, path string, params url.Values) (*http.Request, error) {
	to := e.URL.JoinPath(path)
	to.RawQuery = params.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("making a request of %s: %w", e, err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Accept-Encoding", "gzip")
	request.Header.Set("User-Agent", "traintop")
	return request, nil
}

// why returns what ended a request: its deadline, or a network error. It removes
// the address that net/http repeats in front, since callers print it anyway.
func why(ctx context.Context, err error) error {
	if late := (*lateError)(nil); errors.As(context.Cause(ctx), &late) {
		return late
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if request := (*url.Error)(nil); errors.As(err, &request) {
		return request.Err
	}
	return err
}

// lateError reports that an answer was not complete in time.
type lateError struct{ after time.Duration }

func (e *lateError) Error() string { return fmt.Sprintf("no complete answer within %s", e.after) }

func decompressed(response *http.Response) (io.Reader, error) {
	if !strings.EqualFold(response.Header.Get("Content-Encoding"), "gzip") {
		return response.Body, nil
	}
	body, err := gzip.NewReader(response.Body)
	if errors.Is(err, io.EOF) {
		return response.Body, nil // empty, although declared as compressed
	}
	return body, err
}

// boundedReader returns an error instead of EOF when the limit is exceeded.
type boundedReader struct {
	in         io.Reader
	read, most int64
	exceeded   bool
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.read >= b.most {
		b.exceeded = true
		return 0, &tooLongError{b.most}
	}
	if left := b.most - b.read; int64(len(p)) > left {
		p = p[:left]
	}
	n, err := b.in.Read(p)
	b.read += int64(n)
	return n, err
}
