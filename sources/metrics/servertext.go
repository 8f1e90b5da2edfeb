package metrics

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// reasonPhrase are the words of a status of HTTP.
const reasonPhrase = `(?i:bad request|unauthorized|forbidden(?: \(.*\))?|(?:page )?not found|method not allowed|proxy authentication required|request timeout|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out)`

// serverRefusal matches what a web server, a proxy before it or the program that asks
// writes in place of metrics: net/http of Go and kube-rbac-proxy in one line, Envoy,
// the default backend of ingress-nginx, curl and wget.
var serverRefusal = regexp.MustCompile(`^(?:Client sent an HTTP request to an HTTPS server\.|` +
	`(?:HTTP/[\d.]+ )?[45]\d\d[: ]+` + reasonPhrase + `.?|` + reasonPhrase + `|default backend - [45]\d\d|` +
	`upstream connect error or disconnect/reset before headers.*|upstream request timeout|no healthy upstream|stream timeout|` +
	`curl: \(\d+\) .*|wget: .*)$`)

// isServerText recognises a text that is only such a message.
func isServerText(lines []string) bool {
	return len(lines) <= 3 && serverRefusal.MatchString(strings.TrimSpace(lines[0]))
}

// readServerText reports the message.
func readServerText(text string, a *Answer) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); serverRefusal.MatchString(line) {
			a.AddProblem(number, "a web server answered with an error instead of metrics: %s", readings.OneLine(line))
		}
	}
	return nil
}
