package prometheus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/termtext"
)

// refusedError is an answer that is none of the API, or says that there is none.
type refusedError struct {
	code int
	// said is what the answer says, in one line.
	said string
	// kind is Prometheus' own word: "bad_data", "execution", "timeout", ...
	kind string
	// apiServer: not the server said it, but the API server in front of it.
	apiServer bool
	// page: it is a web page. location is where a redirect leads.
	page     bool
	location string
}

func (e *refusedError) Error() string {
	what := fmt.Sprintf("HTTP %d", e.code)
	if e.page {
		what += ", a web page"
	}
	if e.said == "" {
		return what
	}
	return e.said + " (" + what + ")"
}

// maxRefusal is how much is read of an answer that is not data.
const maxRefusal = 64 << 10

// refusal looks at what an answer is; nil when it may be read as data.
func refusal(response *http.Response, body io.Reader) *refusedError {
	kind := response.Header.Get("Content-Type")
	page := strings.HasPrefix(kind, "text/html")
	if response.StatusCode == http.StatusOK && !page {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal)) // what came is enough
	e := &refusedError{code: response.StatusCode, location: oneLine(response.Header.Get("Location"))}
	e.page = page || bytes.HasPrefix(bytes.TrimSpace(text), []byte("<"))
	if e.page {
		return e
	}
	e.read(text)
	return e
}

// read finds the words in an error of Prometheus, or in the Status of an API server.
func (e *refusedError) read(text []byte) {
	var answer struct {
		ErrorType string `json:"errorType"`
		Error     string `json:"error"`
		Kind      string `json:"kind"`
		Message   string `json:"message"`
	}
	switch {
	case json.Unmarshal(text, &answer) != nil:
		e.said = oneLine(string(text))
	case answer.Kind == "Status":
		e.apiServer, e.said = true, oneLine(answer.Message)
	case answer.Error != "":
		e.kind, e.said = oneLine(answer.ErrorType), oneLine(answer.Error)
	default:
		e.said = oneLine(string(text))
	}
}

// maxSaid bounds what a server can put into one line of the screen, in runes.
const maxSaid = 300

// oneLine is a server's words as a message may show them.
func oneLine(text string) string { return termtext.Short(text, maxSaid) }

// tooMuch reports whether the question was too large for the server, so that
// smaller ones may be answered.
func tooMuch(err error) bool {
	refused, late, long := (*refusedError)(nil), (*lateError)(nil), (*tooLongError)(nil)
	switch {
	case errors.As(err, &long), errors.As(err, &late):
		return true
	case errors.As(err, &refused):
		return refused.code == http.StatusUnprocessableEntity || refused.kind == "timeout" || refused.kind == "execution" ||
			refused.code == http.StatusRequestURITooLong || refused.code == http.StatusRequestHeaderFieldsTooLarge
	}
	said := (*metrics.PromError)(nil)
	return errors.As(err, &said)
}

// elsewhere reports whether the server is no longer where it was found.
func elsewhere(err error) bool {
	refused := (*refusedError)(nil)
	return errors.As(err, &refused) && refused.apiServer && refused.code == http.StatusNotFound
}
