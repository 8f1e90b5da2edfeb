package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/sources/prometheus"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

func lateSession(t *testing.T, health ...train.Health) *session {
	t.Helper()
	s := &session{store: store.New(time.Now), place: "https://c", limit: answerLimit{time.Now().Add(-answerTime), answerTime}}
	for _, h := range health {
		s.store.Apply(store.HealthChanged{Health: h})
	}
	return s
}

// An answer waits for the cluster from the start, also where Prometheus fails before
// anything was asked of the API server: "no GPUs" would be reported without an
// answer.
func TestAnAnswerWaitsForTheCluster(t *testing.T) {
	flags := genericclioptions.NewConfigFlags(false)
	server := "http://127.0.0.1:9"
	flags.APIServer = &server
	o := &opening{app: &app{err: io.Discard, clock: time.Now}, cluster: flags}
	s, err := o.onceMeasured()
	if err != nil {
		t.Fatal(err)
	}
	if err := o.openPrometheus(s, 0, false); err != nil {
		t.Fatal(err)
	}
	s.store.Apply(store.HealthChanged{Health: train.Health{Source: prometheus.SourceName, State: train.SourceFailed, Text: "refused"}})
	if snapshot := s.store.Snapshot(); snapshot.Settled() {
		t.Errorf("nothing was asked of the cluster, and all is read: %+v", snapshot.Health())
	}
}

// A source that did not answer in time is named, with the flag that allows
// more, and the rest is answered.
func TestAnswerNamesWhatIsLate(t *testing.T) {
	s := lateSession(t,
		train.Health{Source: "kube", State: train.SourceConnecting},
		train.Health{Source: "kube/pods", Resource: "pods", State: train.SourceLive},
		train.Health{Source: "kube/events", Resource: "events", State: train.SourceListing})
	snapshot, err := s.reportLate()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]train.Health{}
	for _, h := range snapshot.Health() {
		said[h.Source] = h
	}
	if h := said["kube/events"]; h.State != train.SourceRetrying || h.Text != "reading events: no complete answer within the 27s that this answer may take; --request-timeout waits longer" {
		t.Errorf("events: %+v", h)
	}
	if h := said["kube/apis"]; h.State != train.SourceRetrying || !strings.Contains(h.Text, "which kinds it serves") {
		t.Errorf("apis: %+v", h)
	}
	if said["kube/pods"].State != train.SourceLive || said["kube"].State != train.SourceLive || !snapshot.Settled() {
		t.Errorf("they are %+v", said)
	}
}

func TestAnswerFailsWhereNothingCame(t *testing.T) {
	s := lateSession(t, train.Health{Source: "kube", State: train.SourceConnecting}, train.Health{Source: "kube/pods", State: train.SourceListing})
	if _, err := s.reportLate(); err == nil || !strings.Contains(err.Error(), "nothing came from https://c within the 27s") || !strings.Contains(err.Error(), "--request-timeout") {
		t.Errorf("it says %v", err)
	}
}

func TestAnswerWaitsNoLongerThanItsTime(t *testing.T) {
	s := lateSession(t, train.Health{Source: "kube/pods", State: train.SourceListing})
	late := make(chan time.Time, 1)
	late <- time.Now()
	if _, err := s.await(context.Background(), late); !errors.Is(err, errTooLate) {
		t.Errorf("it says %v", err)
	}
}

// The time of an answer follows --request-timeout where that is long.
func TestTimeOfAnswer(t *testing.T) {
	for timeout, want := range map[time.Duration]time.Duration{0: answerTime, 5 * time.Second: answerTime, time.Minute: time.Minute} {
		l := limitOfAnswer(timeout, false)
		if got := l.end().Sub(l.began); got != want {
			t.Errorf("%s: %s", timeout, got)
		}
		if left := l.left(20 * time.Second); left != 20*time.Second {
			t.Errorf("%s: %s left", timeout, left)
		}
	}
	if l := limitOfAnswer(0, true); !l.end().IsZero() || l.left(time.Minute) != time.Minute {
		t.Error("an answer without a limit has one")
	}
	past := answerLimit{time.Now().Add(-time.Hour), answerTime}
	if left := past.left(time.Minute); left != leastForLogs {
		t.Errorf("%s left", left)
	}
}

// A fifth of the time that is left is for printing what logs brought.
func TestTimeOfLogsLeavesSomeForTheAnswer(t *testing.T) {
	l := limitOfAnswer(0, false)
	if got := l.forLogs(time.Minute); got < 20*time.Second || got > answerTime*4/5+time.Second {
		t.Errorf("%s for logs", got)
	}
	if got := l.forLogs(5 * time.Second); got != 5*time.Second {
		t.Errorf("%s, not 5s", got)
	}
	if got := limitOfAnswer(0, true).forLogs(time.Minute); got != time.Minute {
		t.Errorf("%s without a limit", got)
	}
	if got := (answerLimit{time.Now().Add(-time.Hour), answerTime}).forLogs(time.Minute); got != leastForLogs {
		t.Errorf("%s after the end", got)
	}
}
