package kube

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/traintop/traintop/sources/kube/client"
)

// answersAtLength is a server whose answers have that length.
type answersAtLength int64

func (a answersAtLength) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(io.LimitReader(&endless{text: "a"}, int64(a)))}, nil
}

// The second of two large answers is read when the first is closed; a small
// one does not wait, and a caller that leaves stops waiting.
func TestLargeAnswersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := make(chan struct{}, 1)
		open := func(ctx context.Context, size int64) io.ReadCloser {
			p := &client.TimedTransport{Next: answersAtLength(size), Large: turns}
			request, _ := http.NewRequestWithContext(ctx, http.MethodGet, "https://a/apis", http.NoBody)
			response, err := p.RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			return response.Body
		}
		first := open(t.Context(), 2*client.LargeAnswer)
		if text, err := io.ReadAll(first); err != nil || len(text) != 2*client.LargeAnswer {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
		if _, err := io.ReadAll(open(t.Context(), client.LargeAnswer/2)); err != nil {
			t.Error("a small answer waits:", err)
		}
		leaving, leave := context.WithCancel(t.Context())
		second, third, ended := open(t.Context(), 2*client.LargeAnswer), open(leaving, 2*client.LargeAnswer), make(chan error, 2)
		go func() { _, err := io.ReadAll(third); ended <- err }()
		synctest.Wait()
		leave()
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "canceled") {
			t.Error("who left got", err)
		}
		go func() { _, err := io.ReadAll(second); ended <- err }()
		synctest.Wait()
		if len(ended) > 0 {
			t.Error("the second large answer was read beside the first")
		}
		_ = first.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_, _ = second.Close(), third.Close()
		if len(turns) > 0 {
			t.Error("a turn was not given back")
		}
	})
}
