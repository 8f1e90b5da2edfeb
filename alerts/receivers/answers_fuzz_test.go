package receivers

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/termtext"
)

// FuzzAnswers: whatever a service answers, the error is one line that a terminal
// may show and has no secret, and the wait that it asks for is bounded.
func FuzzAnswers(f *testing.F) {
	cases := httpCases()
	for kind, c := range cases {
		f.Add(kind, c.status, "", "application/json", c.ok)
		f.Add(kind, 429, "30", "application/json", `{"retry_after": 1e300, "message": "You are being rate limited.", "parameters": {"retry_after": -5}}`)
		f.Add(kind, 503, "Fri, 20 Nov 2026 10:05:00 GMT", "text/html", "<html>\x1b[31m"+hookPath)
		f.Add(kind, 200, "-1", "text/plain", `{"errcode": 45009, "errmsg": "api freq out of limit, `+token+`", "ok": false, "code": 9499, "msg": "\u202e"}`)
	}
	s := &sink{}
	s.Server = httptest.NewServer(s)
	f.Cleanup(s.Close)
	f.Fuzz(func(t *testing.T, kind, status int, after, contentType, body string) {
		if kind < 0 || status < 200 || status > 599 {
			return
		}
		s.answer = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", after)
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
		c := cases[kind%len(cases)]
		err := c.receiver(t, s).Send(t.Context(), opened())
		if err == nil {
			return
		}
		said := err.Error()
		if said == "" || said != termtext.Line(said) {
			t.Errorf("the error is %q", said)
		}
		for _, secret := range []string{token, "xyzzySecretPath123", "teamsSignature9876", "dingAccessToken4711", "wecomKey-7423-1234"} {
			if strings.Contains(said, secret) && (strings.Contains(c.path, secret) || c.values["KEY"] == secret) {
				t.Errorf("%s is in %q", secret, said)
			}
		}
		if again := (*alerts.RetryError)(nil); errors.As(err, &again) && (again.After < 0 || again.After > longestAfter) {
			t.Errorf("it is tried again after %s", again.After)
		}
	})
}
