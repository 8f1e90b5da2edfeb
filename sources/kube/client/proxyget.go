package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// GetProxied sends a GET through one of the API server's proxies. It returns
// the answer as it is, whatever its code: the answer may come from the API
// server or from the target, and errors of one must not be mistaken for the
// other's. The caller closes the body.
func (c *Connection) GetProxied(ctx context.Context, accept string, path ...string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Proxied.Get().AbsPath(path...).URL().String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("asking through the API server: %w", err)
	}
	request.Header.Set("Accept", accept)
	return c.Proxied.Client.Do(request)
}

// maxRefusal limits how much is read of an unwanted answer.
const maxRefusal = 16 << 10

// StatusIn parses the Status with which the API server itself answers; it
// returns nil if the text is not one.
func StatusIn(text []byte) *metav1.Status {
	var status metav1.Status
	if json.Unmarshal(text, &status) != nil || status.Kind != "Status" || status.Message == "" {
		return nil
	}
	return &status
}

// Beginning reads as much of an unwanted answer as a message needs.
func Beginning(body io.Reader) []byte {
	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal)) // a partial read is enough
	return text
}
