package receivers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/sources/proxyenv"
	"github.com/traintop/traintop/termtext"
)

const (
	// requestTimeout is the deadline of one HTTP request with its answer.
	requestTimeout = 15 * time.Second
	// largestAnswer is how much of an answer is read, in bytes.
	largestAnswer = 64 << 10
	// longestQuoted is how much of an answer an error quotes, in characters.
	longestQuoted = 200
	// longestAfter is the longest wait that a server can ask for.
	longestAfter = time.Hour
)

// post is one request.
type post struct {
	to     *url.URL
	tls    TLS
	header http.Header
	body   any // becomes JSON; a []byte is sent as it is
	// reads is true for services that report in the body whether they took a
	// message: one that was cut off is then unknown, and sent again.
	reads bool
	// anyAnswer is true for a server of one's own, which may answer with a page
	// although it took the message.
	anyAnswer bool
	// codes are the errors that a service may answer inside of any status.
	codes *codes
	// after reads from the body of a refusal how long to wait, 0 for unknown.
	after func(body []byte) time.Duration
}

// post sends a request and returns the body of the answer with a status below
// 300. A failure that may pass becomes a *alerts.RetryError.
func (s *sending) post(ctx context.Context, p post) ([]byte, error) {
	client, err := s.clients.client(p.tls)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.clients.timeout)
	defer cancel()
	request, err := s.request(ctx, p)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if wrong := (*proxyenv.URLError)(nil); errors.As(err, &wrong) {
		return nil, fmt.Errorf("nothing is sent to %s: %w", p.to.Host, wrong) // another try changes nothing
	}
	if err != nil {
		return nil, &alerts.RetryError{Err: fmt.Errorf("no answer of %s: %w", p.to.Host, s.connectionError(ctx, err))}
	}
	defer func() { _ = response.Body.Close() }()
	body, cut := io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	switch {
	case response.StatusCode >= 300:
		return nil, s.refusal(p, response, body)
	case response.StatusCode < 200:
		return nil, fmt.Errorf("%s answered %s, which is no answer to a message; %s", p.to.Host, response.Status, statusAdvice(response.StatusCode))
	case isPage(response.Header.Get("Content-Type"), body):
		return nil, p.pageError(response.Status)
	case cut != nil && p.reads:
		return nil, &alerts.RetryError{Err: fmt.Errorf("the answer of %s was cut off: %w; it is unknown whether the message arrived", p.to.Host, s.connectionError(ctx, cut))}
	}
	return body, nil
}

// isPage reports whether an answer is an HTML page. Some servers call two words of
// text HTML too.
func isPage(contentType string, body []byte) bool {
	return strings.HasPrefix(contentType, "text/html") && bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// pageError is the error of a page in place of an answer: that of a proxy, or one to
// log in. It is sent again where the service itself never answers so.
func (p post) pageError(status string) error {
	err := fmt.Errorf("%s answered %s with an HTML page, as a proxy or a page to log in does: the message did not arrive, or that is unknown; check its url and the proxy", p.to.Host, status)
	if p.anyAnswer {
		return err
	}
	return &alerts.RetryError{Err: err}
}

func (s *sending) request(ctx context.Context, p post) (*http.Request, error) {
	body, is := p.body.([]byte)
	if !is {
		text, err := encodeJSON(p.body)
		if err != nil {
			return nil, err
		}
		body = text
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, errNoURL
	}
	request.Header.Set("Content-Type", "application/json; charset=utf-8")
	request.Header.Set("User-Agent", s.options.Agent)
	for name, values := range p.header {
		request.Header[name] = values
	}
	return request, nil
}

// encodeJSON writes JSON without escapes for HTML, which cost length.
func encodeJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("write the message as JSON: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// connectionError is the error of a connection without its URL.
func (s *sending) connectionError(ctx context.Context, err error) error {
	if at := (*url.Error)(nil); errors.As(err, &at) {
		err = at.Err
	}
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("nothing came within %s", s.clients.timeout)
	}
	return err
}

// refusal is the error of an answer with a status that is none of success.
func (s *sending) refusal(p post, response *http.Response, body []byte) error {
	status := response.StatusCode
	text := fmt.Sprintf("%s answered %s", p.to.Host, strings.TrimSpace(strconv.Itoa(status)+" "+http.StatusText(status)))
	if status < 400 {
		return fmt.Errorf("%s, a redirect to %s, which is not followed; write the address that it leads to", text, redirectHost(response))
	}
	if said := s.quoted(response.Header.Get("Content-Type"), body); said != "" {
		text += ": " + said
	}
	if status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status == http.StatusTooEarly || status >= 500 {
		after := retryAfter(response.Header.Get("Retry-After"), s.now())
		if p.after != nil {
			after = max(after, p.after(body))
		}
		return &alerts.RetryError{Err: errors.New(text), After: min(after, longestAfter)}
	}
	if code, _, _ := codeOf(body); p.codes != nil && code != 0 {
		return p.codes.judge(s, p, body)
	}
	return fmt.Errorf("%s; %s", text, statusAdvice(status))
}

func redirectHost(response *http.Response) string {
	to, err := response.Location()
	if err != nil {
		return "an unknown place"
	}
	return to.Scheme + "://" + to.Host
}

// statusAdvice is what to do about a refusal.
func statusAdvice(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "check its url, token and rights"
	case http.StatusNotFound, http.StatusGone, http.StatusMethodNotAllowed:
		return "check its url: what it names is not there, or no longer"
	case http.StatusRequestEntityTooLarge:
		return "the message is longer than the service, or a proxy before it, allows"
	}
	return "check its settings in docs/receivers.md"
}

// quoted returns the text of an answer in a few words.
func (s *sending) quoted(contentType string, body []byte) string {
	text := strings.TrimSpace(string(body))
	switch {
	case text == "":
		return ""
	case strings.HasPrefix(contentType, "text/html") || strings.HasPrefix(text, "<"):
		return "an HTML page"
	}
	var known struct {
		Message, Msg, Description, Errmsg string
		Error                             errorText
		Errors                            []string
	}
	if json.Unmarshal(body, &known) == nil {
		said := cmp.Or(known.Message, string(known.Error), known.Msg, known.Description, known.Errmsg)
		if all := strings.Join(known.Errors, ", "); all != "" {
			said = strings.TrimPrefix(said+": "+all, ": ")
		}
		text = cmp.Or(said, text)
	}
	return termtext.Short(s.hide(text), longestQuoted) // a secret that is cut is not found any more
}

// errorText is an error in an answer: a text, or an object with a message, as the
// workflows behind Microsoft Teams have it.
type errorText string

// UnmarshalJSON never fails: another form gives no text.
func (e *errorText) UnmarshalJSON(text []byte) error {
	var of struct{ Message string }
	var plain string
	if json.Unmarshal(text, &plain) != nil && json.Unmarshal(text, &of) != nil {
		return nil
	}
	*e = errorText(cmp.Or(plain, of.Message))
	return nil
}

// retryAfter reads the header Retry-After: seconds, or a date (RFC 9110 10.2.3).
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// unexpected is the error of an answer that is not in the service's format. A
// proxy or a login page may be in between, so it may pass.
func (s *sending) unexpected(p post, body []byte) error {
	said := cmp.Or(s.quoted("", body), "nothing")
	return &alerts.RetryError{Err: fmt.Errorf("%s answered %s, and not as %s does; does a proxy stand between?", p.to.Host, said, s.title)}
}
