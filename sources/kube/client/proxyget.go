package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// GetProxied asks what answers behind one of the API server's proxies. What it
// says is returned as it is, whatever its code: an answer may be the API
// server's or that of whatever listens there, and errors of the one must not
// be taken for the other's. The caller closes the body.
func (c *Connection) GetProxied(ctx context.Context, accept string, path ...string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Proxied.Get().AbsPath(path...).URL().String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("asking through the API server: %w", err)
	}
	request.Header.Set("Accept", accept)
	return c.Proxied.Client.Do(request)
}

// maxRefusal bounds what is read of an answer that is not wanted.
const maxRefusal = 16 << 10

// StatusIn reads the Status that the API server answers with when it is not
// the other end that answers; nil when the text is none.
func StatusIn(text []byte) *metav1.Status {
	var status metav1.Status
	if json.Unmarshal(text, &status) != nil || status.Kind != "Status" || status.Message == "" {
		return nil
	}
	return &status
}

// Beginning reads as much of an unwanted answer as a message needs.
func Beginning(body io.Reader) []byte {
	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal)) // what came is enough
	return text
}
