package client

import (
	"errors"
	"fmt"
	"net/http"
)

// mostRedirects is net/http's limit.
const mostRedirects = 10

// staysWithServer follows redirects within one server only. client-go adds the
// credentials to every request, so a redirect to a login page, or to plain
// HTTP, would leak them.
func staysWithServer(next *http.Request, before []*http.Request) error {
	if first := before[0].URL; next.URL.Host != first.Host || next.URL.Scheme != first.Scheme {
		return fmt.Errorf("it points to %s, which is not followed: it would be given the credentials of this context. "+
			"If a proxy with a login stands before the API server, log in there or name an address behind it", Printable(WithoutUser(next.URL.String())))
	}
	if len(before) >= mostRedirects {
		return errors.New("stopped after 10 redirects")
	}
	return nil
}
