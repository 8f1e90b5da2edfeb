package kube

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// A log whose container has ended comes to its end, also where the answer that follows
// it stays open without another line.
func TestTheLogOfAnEndedContainerEnds(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		at := time.Now().UTC().Format(time.RFC3339Nano)
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprintf(w, "%s one\n", at)
			w.(http.Flusher).Flush()
			if r.URL.Query().Get("follow") == "true" {
				<-r.Context().Done()
				return true
			}
			fmt.Fprintf(w, "%s two\n", at)
			return true
		}
		c, p := streaming(t, s, planned(whole(first)))
		pass(time.Minute)
		wantStream(t, p, first, train.StreamLive)
		k.end()
		c.Stream(planned(streams.Chosen{ID: first, Whole: true, Ended: true}))
		pass(5 * time.Second)
		wantStream(t, p, first, train.StreamEnded)
		wantLog(t, p, first, "one", "two")
	})
}
