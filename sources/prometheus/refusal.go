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

// refusedError is a response that is not the API's, or that is an error of the API.
type refusedError struct {
	code int
	// said is the error text of the response, in one line.
	said string
	// kind is Prometheus' errorType: "bad_data", "execution", "timeout", ...
	kind string
	// apiServer: the error is not the server's, but that of the API server in front of it.
	apiServer bool
	// page: it is a web page. location is the target of a redirect.
	page     bool
	location string
}

func (e *refusedError) Error() string {
	what := fmt.Sprintf("HTTP %d", e.code)
	switch {
	case e.page:
		what += ", a web page"
	case e.code == http.StatusNoContent:
		what += ", which is no answer"
	}
	if e.said == "" {
		return what
	}
	return e.said + " (" + what + ")"
}

// maxRefusal is how many bytes of a response without data are read.
const maxRefusal = 64 << 10

// refusal checks a response; nil if it may be read as data.
func refusal(response *http.Response, body io.Reader) *refusedError {
	kind := response.Header.Get("Content-Type")
	page := strings.HasPrefix(kind, "text/html")
	if response.StatusCode == http.StatusOK && !page {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal)) // a part is enough
	e := &refusedError{code: response.StatusCode, location: oneLine(response.Header.Get("Location"))}
	e.page = page || bytes.HasPrefix(bytes.TrimSpace(text), []byte("<"))
	if e.page {
		return e
	}
	e.read(text)
	return e
}

// read finds the message in an error of Prometheus, or in the Status of an API server.
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

// maxSaid is how many runes of a server's text are shown in one line of the screen.
const maxSaid = 300

// oneLine makes a server's text safe for a message.
func oneLine(text string) string { return termtext.Short(text, maxSaid) }

// tooMuch reports whether the query was too large for the server, so that smaller
// ones may be answered.
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
