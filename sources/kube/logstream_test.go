package kube

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// first and second are the instances of the container.
var (
	first  = train.StreamID{Namespace: "ml", Pod: "w", UID: "u", Container: "c"}
	second = train.StreamID{Namespace: "ml", Pod: "w", UID: "u", Container: "c", Restart: 1}
)

// allLogsLimit is diagnose's limit for all logs together.
const allLogsLimit = 20 * time.Second

func planned(chosen ...streams.Chosen) *streams.Plan {
	return &streams.Plan{Most: streams.DefaultMost, Chosen: chosen}
}

func whole(id train.StreamID) streams.Chosen { return streams.Chosen{ID: id, Whole: true} }

// streaming runs a cluster whose logs are followed by a plan until the test ends.
func streaming(t *testing.T, s *apiServer, plan *streams.Plan) (*Cluster, *logSink) {
	t.Helper()
	p := newLogSink()
	return streamingTo(t, s, plan, p), p
}

// streamingTo is streaming into another sink.
func streamingTo(t *testing.T, s *apiServer, plan *streams.Plan, sink sources.Sink) *Cluster {
	t.Helper()
	c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{pyTorchJob}})
	if err != nil {
		t.Fatal(err)
	}
	followed(t, s, c, sink, plan)
	return c
}

// followed runs a cluster for a plan until the test ends.
func followed(t *testing.T, s *apiServer, c *Cluster, sink sources.Sink, plan *streams.Plan) {
	t.Helper()
	c.Stream(plan)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx, sink) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run returned %v", err)
		}
		s.stop()
	})
	pass(time.Second)
}

// inLogBubble runs a test with a container whose log is followed, in virtual time.
func inLogBubble(t *testing.T, test func(t *testing.T, s *apiServer, k *kubelet)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newAPIServer(t)
		test(t, s, serveLogs(s))
	})
}

func TestFollowsALog(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.print(time.Now(), "one\n")
		_, p := streaming(t, s, planned(whole(first)))
		wantLog(t, p, first, "one")
		wantStream(t, p, first, train.StreamLive)
		for range 100 {
			k.print(time.Now(), "two\n")
		}
		pass(pace)
		if n := len(p.lines[first]); n != 101 {
			t.Errorf("%d lines were told, want 101", n)
		}
		k.end()
		pass(time.Second)
		wantStream(t, p, first, train.StreamEnded)
		if p.state(first).Partial {
			t.Error("a log read from its beginning is called partial")
		}
	})
}

// TestResumesAnywhere breaks the connection off at every byte of a log with
// repeated times, a long line, letters of several bytes, progress and a last
// line without an end.
func TestResumesAnywhere(t *testing.T) {
	at := time.Date(2026, 11, 20, 8, 50, 0, 999_999_990, time.UTC)
	lines := []printed{
		{at, "erste Zeile über alles\n"}, {at, "same time\n"}, {at, "same time\n"}, {at.Add(20), "next second\n"},
		{at.Add(15), "stderr a little earlier\n"}, {at.Add(time.Minute), " 10%|█   |\r 20%|██  |\r100%|████|\n"},
		{at.Add(time.Minute), "\n"}, {at.Add(time.Minute), "Ende"},
	}
	want := []string{"erste Zeile über alles", "same time", "same time", "next second", "stderr a little earlier", "100%|████|", "", "Ende"}
	size := 0
	for _, line := range lines {
		size += len("2026-11-20T08:50:00.999999999Z ") + len(line.text)
	}
	for cut := range size {
		inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
			k.lives[0], k.running = lines, false
			k.cut = func(answer int) (int, bool) { return cut, answer == 0 }
			_, p := streaming(t, s, planned(whole(first)))
			pass(10 * time.Second)
			wantLog(t, p, first, want...)
			wantStream(t, p, first, train.StreamEnded)
			if t.Failed() {
				t.Logf("broken off after %d bytes", cut)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// TestBreaksOffAgainAndAgain loses the connection every few lines of a log
// that goes on.
func TestBreaksOffAgainAndAgain(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.cut = func(answer int) (int, bool) { return 100 + answer*37, true }
		_, p := streaming(t, s, planned(whole(first)))
		var want []string
		for i := range 400 {
			text := fmt.Sprintf("step %d", i)
			k.print(time.Now(), text+"\n")
			want = append(want, text)
			pass(100 * time.Millisecond)
		}
		pass(time.Minute)
		wantLog(t, p, first, want...)
		if k.answers < 5 {
			t.Errorf("there were only %d answers: nothing was tested", k.answers)
		}
	})
}

func TestServerAwayWhileFollowing(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		_, p := streaming(t, s, planned(whole(first)))
		k.print(time.Now(), "before\n")
		pass(time.Second)
		s.stop()
		k.print(time.Now(), "while away\n")
		pass(20 * time.Second)
		wantStream(t, p, first, train.StreamRetrying, "does not answer", "goes on")
		wantLog(t, p, first, "before")
		s.start()
		pass(20 * time.Second)
		k.print(time.Now(), "after\n")
		pass(time.Second)
		wantLog(t, p, first, "before", "while away", "after")
		wantStream(t, p, first, train.StreamLive)
		if text := p.state(first).Text; text != "" {
			t.Errorf("all is well, and it says %q", text)
		}
	})
}

// TestServerStopsInOrder ends answers as if the log had ended.
func TestServerStopsInOrder(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		_, p := streaming(t, s, planned(whole(first)))
		var want []string
		for i := range 20 {
			text := fmt.Sprint("line ", i)
			k.print(time.Now(), text+"\n")
			want = append(want, text)
			if i%3 == 0 {
				k.hangUp()
			}
			pass(15 * time.Second)
		}
		wantLog(t, p, first, want...)
		wantStream(t, p, first, train.StreamLive)
	})
}

func TestRestartedContainer(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		c, p := streaming(t, s, planned(whole(first)))
		k.print(time.Now(), "first life\n", "traceback")
		pass(time.Second)
		k.restart()
		k.print(time.Now(), "second life\n")
		c.Stream(planned(whole(second), streams.Chosen{ID: first, Previous: true, Whole: true}))
		pass(10 * time.Second)
		wantLog(t, p, first, "first life", "traceback")
		wantLog(t, p, second, "second life")
		wantStream(t, p, first, train.StreamEnded)
		wantStream(t, p, second, train.StreamLive)
	})
}

// TestPreviousLifeAlone reads an instance that had already ended.
func TestPreviousLifeAlone(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.print(time.Now(), "first life\n")
		k.restart()
		k.print(time.Now(), "second life\n")
		_, p := streaming(t, s, planned(streams.Chosen{ID: first, Previous: true}))
		wantLog(t, p, first, "first life")
		wantStream(t, p, first, train.StreamEnded)
		k.restart()
		third := second
		third.Restart = 2
		if got := p.state(third); got.State != "" {
			t.Errorf("a log nobody asked for is %v", got)
		}
	})
}

// TestLinesAfterTheEndOfALife reads an instance before, whose last line is stamped later
// than its end: the runtime was behind, or a child outlived the first process. It is read
// once, and ends.
func TestLinesAfterTheEndOfALife(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.behind = 5 * time.Second
		k.print(time.Now(), "first life\n", "last words\n")
		k.restart()
		k.print(time.Now(), "second life\n")
		_, p := streaming(t, s, planned(streams.Chosen{ID: first, Previous: true}))
		pass(20 * time.Second)
		wantLog(t, p, first, "first life", "last words")
		wantStream(t, p, first, train.StreamEnded)
	})
}

// TestLifeOutOfReach requests an instance that the kubelet no longer has.
func TestLifeOutOfReach(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.restart()
		k.restart()
		k.print(time.Now(), "third life\n")
		_, p := streaming(t, s, planned(streams.Chosen{ID: first, Previous: true}))
		wantLog(t, p, first)
		wantStream(t, p, first, train.StreamGone, "last two logs", "restarted 2 times")
	})
}

// TestLifeBeganUnseen: the container restarted during an outage, so the rest
// of the first instance is now the previous log.
func TestLifeBeganUnseen(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		_, p := streaming(t, s, planned(whole(first)))
		k.print(time.Now(), "one\n")
		pass(time.Second)
		s.stop()
		k.print(time.Now(), "two\n", "three\n")
		k.restart()
		k.print(time.Now(), "second life\n")
		s.start()
		pass(30 * time.Second)
		wantLog(t, p, first, "one", "two", "three")
		wantStream(t, p, first, train.StreamEnded)
	})
}

// TestLifeBeganBeforeTheServerKnew: the kubelet already answers with the next
// instance's log. Once that is known, its lines move to that instance.
func TestLifeBeganBeforeTheServerKnew(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.print(time.Now(), "first life\n")
		k.restart()
		k.missing = 1
		k.print(time.Now().Add(10*time.Second), "second life\n")
		c, p := streaming(t, s, planned(whole(first)))
		k.change(func() { k.missing = 0 })
		c.Stream(planned(whole(second)))
		pass(10 * time.Second)
		wantLog(t, p, first, "first life")
		wantLog(t, p, second, "second life")
	})
}

// TestRestartedBeforeTheServerKnew: the kubelet ends the answer and has the next
// instance's log a second before the status reports that the container restarted.
func TestRestartedBeforeTheServerKnew(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		c, p := streaming(t, s, planned(whole(first)))
		k.print(time.Now(), "first life\n")
		pass(time.Second)
		k.change(func() { k.missing = 1 })
		k.restart()
		k.print(time.Now(), "second life\n")
		pass(time.Second)
		wantLog(t, p, first, "first life")
		k.change(func() { k.missing = 0 })
		pass(time.Second)
		wantStream(t, p, first, train.StreamEnded)
		c.Stream(planned(whole(second), streams.Chosen{ID: first, Previous: true, Whole: true}))
		k.print(time.Now(), "on\n")
		pass(10 * time.Second)
		wantLog(t, p, first, "first life")
		wantLog(t, p, second, "second life", "on")
		if got := strings.Count(fmt.Sprint(p.history[first]), string(train.StreamOpening)); got != 1 {
			t.Errorf("the first life was told %v, want it opened once", p.history[first])
		}
	})
}

func TestRotatedWhileFollowed(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		_, p := streaming(t, s, planned(whole(first)))
		k.print(time.Now(), "one\n", "two\n")
		pass(time.Second)
		k.rotate()
		pass(time.Second)
		k.print(time.Now(), "three\n")
		pass(time.Second)
		wantLog(t, p, first, "one", "two", "three")
		wantStream(t, p, first, train.StreamLive)
	})
}

// TestRotatedWhileAway: the API shows only the newest file of a log.
func TestRotatedWhileAway(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		_, p := streaming(t, s, planned(whole(first)))
		k.print(time.Now(), "one\n", "two\n")
		pass(time.Second)
		s.stop()
		k.print(time.Now(), "never seen\n")
		k.rotate()
		pass(10 * time.Second)
		k.print(time.Now(), "four\n")
		s.start()
		pass(30 * time.Second)
		wantLog(t, p, first, "one", "two", "four")
		wantStream(t, p, first, train.StreamLive, "rotated")
	})
}

func TestClockWentBackWhileFollowed(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		_, p := streaming(t, s, planned(whole(first)))
		now := time.Now()
		k.print(now, "one\n")
		k.print(now.Add(time.Hour), "an hour ahead\n")
		k.print(now.Add(2*time.Second), "back\n")
		pass(time.Second)
		k.cut = nil
		s.stop()
		k.print(now.Add(3*time.Second), "while away\n")
		s.start()
		pass(20 * time.Second)
		k.print(now.Add(4*time.Second), "after\n")
		pass(time.Second)
		wantLog(t, p, first, "one", "an hour ahead", "back", "while away", "after")
	})
}

func TestClockWentBackWhileAway(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		_, p := streaming(t, s, planned(whole(first)))
		now := time.Now()
		k.print(now, "one\n")
		k.print(now.Add(time.Hour), "an hour ahead\n")
		pass(time.Second)
		s.stop()
		k.print(now.Add(2*time.Second), "while away\n")
		s.start()
		k.print(now.Add(3*time.Second), "after\n")
		pass(time.Minute)
		wantLog(t, p, first, "one", "an hour ahead", "while away", "after")
	})
}

func TestEndOnly(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		for i := range tailLines + 10 {
			k.print(time.Now(), fmt.Sprint(i, "\n"))
		}
		c, p := streaming(t, s, planned(streams.Chosen{ID: first}))
		if n, state := len(p.lines[first]), p.state(first); n != tailLines || !state.Partial || p.lines[first][0] != "10" {
			t.Errorf("%d lines, status %+v", n, state)
		}
		// The plan now wants more of it.
		c.Stream(planned(whole(first)))
		pass(5 * time.Second)
		if n, state := len(p.lines[first]), p.state(first); n != tailLines+10 || state.Partial || p.lines[first][0] != "0" {
			t.Errorf("whole: %d lines, status %+v", n, state)
		}
		c.Stream(planned(streams.Chosen{ID: first}))
		pass(5 * time.Second)
		if n := len(p.lines[first]); n != tailLines+10 {
			t.Errorf("when its end is enough again, %d lines are left", n)
		}
	})
}

func TestShortLogIsNotPartial(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.print(time.Now(), "one\n")
		_, p := streaming(t, s, planned(streams.Chosen{ID: first}))
		for range tailLines {
			k.print(time.Now(), "later\n")
			pass(10 * time.Millisecond)
		}
		if p.state(first).Partial {
			t.Error("all of the log was read, and it is called partial")
		}
	})
}

func TestLingersThenStopsThenGoesOn(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		c, p := streaming(t, s, planned(whole(first)))
		k.print(time.Now(), "one\n")
		c.Stream(planned())
		pass(linger / 2)
		k.print(time.Now(), "two\n")
		pass(time.Second)
		wantLog(t, p, first, "one", "two")
		wantStream(t, p, first, train.StreamLive)
		pass(linger)
		wantStream(t, p, first, train.StreamStopped)
		k.print(time.Now(), "three\n")
		pass(time.Minute)
		wantLog(t, p, first, "one", "two")
		c.Stream(planned(whole(first)))
		pass(time.Second)
		wantLog(t, p, first, "one", "two", "three")
		if n := len(k.questions()); n != 2 {
			t.Errorf("%d requests for the log, want 2: %q", n, k.questions())
		}
	})
}

func TestAtMost(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		plan := planned(whole(first))
		plan.Most = 1
		c, p := streaming(t, s, plan)
		other := first
		other.Container = "d"
		next := planned(whole(other))
		next.Most = 1
		c.Stream(next)
		pass(time.Second)
		wantStream(t, p, first, train.StreamStopped)
		wantStream(t, p, other, train.StreamLive)
	})
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		code            int
		reason, message string
		state           train.StreamState
		words           []string
	}{
		{403, "Forbidden", `pods "w" is forbidden: User "ada" cannot get resource "pods/log"`, train.StreamForbidden, []string{"ada", "verb get on pods/log", "namespace ml", "can-i"}},
		{400, "BadRequest", `container "c" in pod "w" is waiting to start: ContainerCreating`, train.StreamWaiting, []string{"not started yet: ContainerCreating"}},
		{400, "BadRequest", `container "c" in pod "w" is waiting to start: trying and failing to pull image`, train.StreamWaiting, []string{"failing to pull image"}},
		{500, "InternalError", `Internal error occurred: Get "https://10.0.0.7:10250/containerLogs/ml/w/c": dial tcp 10.0.0.7:10250: connect: connection refused`, train.StreamRetrying, []string{"the kubelet of node gpu-7", "connection refused"}},
		{502, "", "Bad Gateway", train.StreamRetrying, []string{"gpu-7", "Bad Gateway"}},
		{400, "BadRequest", "no logs found\x1b[2J for container", train.StreamFailed, []string{"no logs found"}},
	} {
		inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
			k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Query().Get("container") != "c" {
					return false
				}
				refuseWith(w, c.code, c.reason, c.message)
				return true
			}
			k.print(time.Now(), "one\n")
			other := first
			other.Container = "d"
			_, p := streaming(t, s, planned(whole(first), whole(other)))
			wantStream(t, p, first, c.state, c.words...)
			if status := p.state(first); status.Retry.IsZero() && !strings.Contains(status.Text, "asked again") || strings.ContainsAny(status.Text, "\x1b\n") {
				t.Errorf("status %+v", status)
			}
			wantLog(t, p, other, "one") // it is not disturbed
			wantStream(t, p, other, train.StreamLive)
			wantState := p.history[first]
			k.change(func() { k.refuse = nil })
			pass(rightsInterval + time.Second)
			wantLog(t, p, first, "one")
			wantStream(t, p, first, train.StreamLive)
			if len(wantState) > 3 {
				t.Errorf("states change all the time: %v", wantState)
			}
		})
	}
}

// A screen full of unreadable logs must not keep the program busy: a log that
// the kubelet refuses is retried rarely, and its status stays.
func TestAFirmNoIsAskedSeldom(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		var asked atomic.Int64
		k.refuse = func(w http.ResponseWriter, _ *http.Request) bool {
			asked.Add(1)
			refuseWith(w, 400, "BadRequest", "no logs found for container")
			return true
		}
		_, p := streaming(t, s, planned(whole(first)))
		pass(30 * time.Second)
		soon, logSink := asked.Load(), len(p.history[first])
		pass(10 * time.Minute)
		if later := asked.Load() - soon; soon < 2 || later < 1 || later > 8 {
			t.Errorf("asked %d times at first and %d times in ten minutes more", soon, later)
		}
		if more := len(p.history[first]) - logSink; more > 0 {
			t.Errorf("the status was told %d times more", more)
		}
		wantStream(t, p, first, train.StreamFailed, "no logs found", "asked again")
		k.change(func() { k.refuse = nil })
		k.print(time.Now(), "one\n")
		pass(6 * time.Minute)
		wantLog(t, p, first, "one")
	})
}

func TestPodIsGone(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		_, p := streaming(t, s, planned(whole(first)))
		k.print(time.Now(), "one\n")
		pass(time.Second)
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			refuseWith(w, 404, "NotFound", `pods "w" not found`)
			return true
		})
		k.hangUp()
		pass(5 * time.Second)
		wantStream(t, p, first, train.StreamGone, "does not exist any more")
		wantLog(t, p, first, "one")
	})
}

func TestAnotherPodOfTheSameName(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		old := first
		old.UID = "before"
		k.print(time.Now(), "another pod's\n")
		_, p := streaming(t, s, planned(streams.Chosen{ID: old, Previous: true}))
		wantStream(t, p, old, train.StreamGone, "another pod")
		wantLog(t, p, old)
	})
}

// TestKubeletsLastWord: too many open files on the node, which the kubelet
// writes into the answer like a line of the log.
func TestKubeletsLastWord(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.print(time.Now(), "one\n")
		full := true
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			if full {
				fmt.Fprintf(w, "%s one\nfailed to create fsnotify watcher: too many open files", k.lives[0][0].at.UTC().Format(time.RFC3339Nano))
			}
			return full
		}
		_, p := streaming(t, s, planned(whole(first)))
		wantLog(t, p, first, "one")
		wantStream(t, p, first, train.StreamRetrying, "the kubelet", "says: failed to create fsnotify watcher: too many open files")
		k.change(func() { full = false })
		k.print(time.Now(), "two\n")
		pass(time.Minute)
		wantLog(t, p, first, "one", "two")
		wantStream(t, p, first, train.StreamLive)
	})
}

// TestKubeletsWordsBehindHalfALine: the same where the program has not ended its
// line yet. They are none of what it printed, and the log goes on.
func TestKubeletsWordsBehindHalfALine(t *testing.T) {
	for _, words := range []string{
		"failed to create fsnotify watcher: too many open files", "unable to retrieve container logs for containerd://8f1c", `failed to watch directory "/var/log/pods/ml_w_1/c": no space left on device`,
		`rpc error: code = NotFound desc = an error occurred when try to find container "8f1": not found`,
	} {
		inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
			defer s.stop()
			at := time.Now().UTC().Format(time.RFC3339Nano)
			c := logsAnswering(t, s, k, func(w http.ResponseWriter, _ int) { fmt.Fprintf(w, "%s one\n%s step 2 los%s", at, at, words) })
			p := newLogSink()
			if err := c.Read(t.Context(), p, planned(streams.Chosen{ID: first})); err != nil {
				t.Error(err)
			}
			wantStream(t, p, first, train.StreamFailed, "the kubelet", "says: "+words)
			wantLog(t, p, first, "one", "step 2 los")
		})
	}
}

// TestKubeletsOnlyWord: a log that is gone from the node's disk, which the kubelet
// reports in place of the log, whenever it is asked (kubelet 1.36, ReadLogs).
func TestKubeletsOnlyWord(t *testing.T) {
	const gone = `failed to try resolving symlinks in path "/var/log/pods/ml_w_1/c/0.log": lstat /var/log/pods/ml_w_1/c/0.log: no such file or directory`
	for _, lines := range []int64{0, 5000} {
		inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
			defer s.stop()
			c := logsAnswering(t, s, k, func(w http.ResponseWriter, _ int) { fmt.Fprintln(w, gone) })
			if lines > 0 {
				c.ReadNewest(0, lines)
			}
			p := newLogSink()
			if err := c.Read(t.Context(), p, planned(streams.Chosen{ID: first})); err != nil {
				t.Error(err)
			}
			wantStream(t, p, first, train.StreamFailed, "the kubelet", "says: failed to try resolving symlinks")
			wantLog(t, p, first, gone)
		})
	}
}

// TestRestOfALineIsNoWordOfTheKubelet: a kubelet writes a time before the first piece
// of a line alone, so that the newest lines of a log may be the rest of one, as of a
// progress bar that goes on.
func TestRestOfALineIsNoWordOfTheKubelet(t *testing.T) {
	for _, rest := range []string{"\rEpoch 3:  24%|##        | 24/100 [00:24<01:16, loss=2.7]\rEpoch 3:  25%|##        | 25/100", " 0.31 lr 1e-4"} {
		inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
			defer s.stop()
			asked := 0
			c := logsAnswering(t, s, k, func(w http.ResponseWriter, _ int) { asked++; fmt.Fprint(w, rest) })
			c.ReadNewest(0, 3)
			p := newLogSink()
			if err := c.Read(t.Context(), p, planned(streams.Chosen{ID: first})); err != nil {
				t.Error(err)
			}
			if status := p.state(first); status.State == train.StreamFailed || status.Text != "" || asked > 2 {
				t.Errorf("asked %d times, the log is %s: %q", asked, status.State, status.Text)
			}
			if p.count(first) != 1 {
				t.Errorf("%d lines came", p.count(first))
			}
		})
	}
}

func TestReadOnce(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		k.print(time.Now(), "first life\n")
		k.restart()
		k.print(time.Now(), "second life\n")
		c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{}})
		if err != nil {
			t.Fatal(err)
		}
		p := newLogSink()
		refused := first
		refused.Container = "d"
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("container") == "d" {
				refuseWith(w, 403, "Forbidden", "no")
				return true
			}
			return false
		}
		if err := c.Read(t.Context(), p, planned(whole(second), whole(refused), streams.Chosen{ID: first, Previous: true, Whole: true})); err != nil {
			t.Error(err)
		}
		wantLog(t, p, first, "first life")
		wantLog(t, p, second, "second life")
		wantStream(t, p, first, train.StreamEnded)
		wantStream(t, p, second, train.StreamStopped) // it runs, and is not followed
		if s := p.state(refused).State; s != train.StreamForbidden && s != train.StreamWaiting {
			t.Errorf("the refused log is %s", s)
		}
	})
}

func TestReadingOnceDoesNotWaitForAContainerToStart(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		k.print(time.Now(), "running\n")
		c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{}})
		if err != nil {
			t.Fatal(err)
		}
		starting := first
		starting.Container = "d"
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("container") != "d" {
				return false
			}
			refuseWith(w, 400, "BadRequest", `container "d" in pod "w" is waiting to start: trying and failing to pull image`)
			return true
		}
		p, began := newLogSink(), time.Now()
		if err := c.Read(t.Context(), p, planned(whole(first), whole(starting))); err != nil {
			t.Error(err)
		}
		if waited := time.Since(began); waited >= time.Second {
			t.Errorf("it waited %s", waited)
		}
		wantLog(t, p, first, "running")
		wantStream(t, p, starting, train.StreamWaiting, "has not started yet")
	})
}

// logsAnswering is a cluster that reads once, with a custom answer for its
// log.
func logsAnswering(t *testing.T, s *apiServer, k *kubelet, answer func(w http.ResponseWriter, number int)) *Cluster {
	t.Helper()
	c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{}})
	if err != nil {
		t.Fatal(err)
	}
	answers := 0
	k.refuse = func(w http.ResponseWriter, _ *http.Request) bool {
		answers++
		answer(w, answers)
		return true
	}
	return c
}

// A log whose first answer succeeded has as few tries as any other: lines
// before a refusal do not reset the count.
func TestReadingOnceGivesUpAfterAGoodAnswer(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		k.end()
		c := logsAnswering(t, s, k, func(w http.ResponseWriter, number int) {
			if number == 1 {
				_, _ = fmt.Fprintln(w, "2026-11-20T08:50:00.000000001Z one")
				return
			}
			refuseWith(w, 429, "TooManyRequests", "too many requests, please try again later")
		})
		p, began := newLogSink(), time.Now()
		if err := c.Read(t.Context(), p, planned(whole(first))); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > onceTries*2*time.Second {
			t.Errorf("it took %s", took)
		}
		wantLog(t, p, first, "one")
		wantStream(t, p, first, train.StreamFailed, "too many requests")
	})
}

// A log whose answers each bring a line and break off is given up too, and what
// was not read is reported.
func TestReadingOnceGivesUpWhereAnswersBreakOff(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		answers := 0
		c := logsAnswering(t, s, k, func(w http.ResponseWriter, number int) {
			if answers = number; number > 10*onceBreaks {
				refuseWith(w, 403, "Forbidden", "the test is over")
				return
			}
			at := time.Date(2026, 11, 20, 8, 0, 0, 1, time.UTC).Add(time.Duration(number) * 2 * time.Second)
			_, _ = fmt.Fprintf(w, "%s line\n", at.Format(time.RFC3339Nano))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
		p := newLogSink()
		if err := c.Read(t.Context(), p, planned(whole(first))); err != nil {
			t.Error(err)
		}
		if answers > onceBreaks {
			t.Errorf("%d answers", answers)
		}
		wantStream(t, p, first, train.StreamFailed, fmt.Sprintf("broke off %d times, so that what follows its line %d was not read", onceBreaks, onceBreaks))
	})
}

// A log that sends a little more with every answer and never ends does not
// delay an answer with a deadline.
func TestReadingInTimeNamesWhatDidNotCome(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		defer pass(3 * time.Second) // the newest answer ends
		c := logsAnswering(t, s, k, func(w http.ResponseWriter, number int) {
			time.Sleep(3 * time.Second)
			for i := range number {
				_, _ = fmt.Fprintf(w, "2026-11-20T08:50:%02d.000000001Z line %d\n", i, i)
			}
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
		p, began := newLogSink(), time.Now()
		if err := c.ReadWithin(t.Context(), p, planned(whole(first)), allLogsLimit); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > allLogsLimit+time.Second {
			t.Errorf("it took %s", took)
		}
		wantStream(t, p, first, train.StreamFailed, "pod ml/w, container c", "given up after 20s")
		if p.count(first) == 0 {
			t.Error("nothing that came of it is kept")
		}
	})
}

// TestReadingOnceFromASlowServer: the pod is looked up while its log is
// requested, not before.
func TestReadingOnceFromASlowServer(t *testing.T) {
	const slow = 3 * time.Second
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		k.print(time.Date(2026, 11, 20, 8, 50, 0, 0, time.UTC), "one\n")
		k.end()
		answer := s.answer
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			time.Sleep(slow)
			return answer(w, r)
		})
		c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{}})
		if err != nil {
			t.Fatal(err)
		}
		p, began := newLogSink(), time.Now()
		if err := c.ReadWithin(t.Context(), p, planned(whole(first)), allLogsLimit); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 2*slow+time.Second {
			t.Errorf("it took %s", took)
		}
		wantLog(t, p, first, "one")
		wantStream(t, p, first, train.StreamEnded)
	})
}

// TestReadingTheNewestByTheNodesClock: the age of a line is by the node's
// clock, which may differ from this machine's; time that passed since counts.
func TestReadingTheNewestByTheNodesClock(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		k.print(time.Now().Add(-24*time.Hour), "one\n")
		c := logsAnswering(t, s, k, func(w http.ResponseWriter, number int) {
			if number == 1 {
				refuseWith(w, 429, "TooManyRequests", "too many requests, please try again later")
			}
		})
		c.ReadNewest(90*time.Second, 0)
		if err := c.Read(t.Context(), newLogSink(), planned(streams.Chosen{ID: first})); err != nil {
			t.Error(err)
		}
		asked := k.questions()
		if len(asked) < 2 || !strings.Contains(asked[0], "sinceSeconds=90") || !strings.Contains(asked[1], "sinceSeconds=91") || strings.Contains(asked[0], "sinceTime") {
			t.Errorf("asked %q", asked)
		}
	})
}

// TestReadingNothing: of a log that is there no line is asked for.
func TestReadingNothing(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		c := logsAnswering(t, s, k, func(http.ResponseWriter, int) {})
		k.print(time.Now(), "one\n")
		c.ReadNothing()
		p := newLogSink()
		if err := c.Read(t.Context(), p, planned(streams.Chosen{ID: first})); err != nil {
			t.Error(err)
		}
		if asked := k.questions(); len(asked) == 0 || !strings.Contains(asked[0], "tailLines=0") {
			t.Errorf("asked %q", asked)
		}
		if p.count(first) != 0 {
			t.Errorf("%d lines came", p.count(first))
		}
	})
}
