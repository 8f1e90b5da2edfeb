package kube

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// kubelet answers log requests like an API server with a kubelet behind it
// (kubelet 1.36: pkg/kubelet/kubelet_pods.go and cri-client's pkg/logs), for
// one pod ml/w with one container "c".
type kubelet struct {
	// behind is how much later than its end the last line of a life is stamped.
	behind  time.Duration
	mu      sync.Mutex
	lives   [][]printed // output of each container instance
	running bool        // the newest instance is running
	// missing is how many instances the API server does not know yet.
	missing int
	changed chan struct{}
	// refuse answers instead of the kubelet.
	refuse func(w http.ResponseWriter, r *http.Request) bool
	// cut returns after how many bytes the numbered answer breaks off.
	cut     func(answer int) (bytes int, cut bool)
	answers int
	asked   []string
	closing chan struct{} // closed to end every followed answer normally
	// exact starts an answer with its first line, as kubelets do.
	exact bool
}

type printed struct {
	at   time.Time
	text string
}

// serveLogs makes an API server answer for the pod and its log.
func serveLogs(s *apiServer) *kubelet {
	k := &kubelet{lives: [][]printed{nil}, running: true, changed: make(chan struct{}), closing: make(chan struct{})}
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case podsPath + "w/log":
			k.log(w, r)
		case podsPath + "w":
			k.pod(w)
		default:
			return false
		}
		return true
	})
	return k
}

func (k *kubelet) change(change func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change()
	close(k.changed)
	k.changed = make(chan struct{})
}

// print appends lines to the newest instance's log; one without a line end is
// its last.
func (k *kubelet) print(at time.Time, lines ...string) {
	k.change(func() {
		newest := len(k.lives) - 1
		for _, text := range lines {
			k.lives[newest] = append(k.lives[newest], printed{at, text})
		}
	})
}

// restart ends the newest instance and starts another.
func (k *kubelet) restart() { k.change(func() { k.lives = append(k.lives, nil) }) }

func (k *kubelet) end() { k.change(func() { k.running = false }) }

// rotate empties the newest instance's log, as far as the API shows it.
func (k *kubelet) rotate() { k.change(func() { k.lives[len(k.lives)-1] = nil }) }

// hangUp ends all answers normally, as a stopping server does.
func (k *kubelet) hangUp() {
	k.change(func() { close(k.closing); k.closing = make(chan struct{}) })
}

func (k *kubelet) pod(w http.ResponseWriter) {
	k.mu.Lock()
	defer k.mu.Unlock()
	newest := len(k.lives) - 1 - k.missing
	state := `{"running":{"startedAt":"2026-11-20T08:00:00Z"}}`
	if !k.running {
		state = `{"terminated":{"exitCode":1,"finishedAt":"2026-11-20T09:00:00Z"}}`
	}
	last := "{}"
	if newest > 0 {
		last = fmt.Sprintf(`{"terminated":{"exitCode":1,"finishedAt":%q}}`, k.endOf(newest-1).Format(time.RFC3339))
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"w","namespace":"ml","uid":"u"},"spec":{"nodeName":"gpu-7"},
		"status":{"containerStatuses":[{"name":"c","restartCount":%d,"state":%s,"lastState":%s}]}}`, newest, state, last)
}

func (k *kubelet) endOf(life int) time.Time {
	if n := len(k.lives[life]); n > 0 {
		return k.lives[life][n-1].at.Add(-k.behind).UTC()
	}
	return time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
}

func (k *kubelet) log(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	k.asked = append(k.asked, r.URL.RawQuery)
	number, refuse := k.answers, k.refuse
	k.answers++
	life := len(k.lives) - 1
	if r.URL.Query().Get("previous") == "true" {
		life--
	}
	k.mu.Unlock()
	if refuse != nil && refuse(w, r) {
		return
	}
	if life < 0 {
		refuseWith(w, 400, "BadRequest", `previous terminated container "c" in pod "w" not found`)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	out := &answerWriter{w: w, left: -1}
	if k.cut != nil {
		if bytes, cut := k.cut(number); cut {
			out.left = bytes
		}
	}
	if !k.exact {
		w.(http.Flusher).Flush()
	}
	k.copy(out, r, life)
}

// copy implements the kubelet: lines not before sinceTime, then new ones while
// the container runs.
func (k *kubelet) copy(out *answerWriter, r *http.Request, life int) {
	query := r.URL.Query()
	since, _ := time.Parse(time.RFC3339, query.Get("sinceTime"))
	k.mu.Lock()
	next, closing := 0, k.closing
	if tail, err := strconv.Atoi(query.Get("tailLines")); err == nil {
		next = max(0, len(k.lives[life])-tail)
	}
	k.mu.Unlock()
	for {
		k.mu.Lock()
		lines, changed := slices.Clone(k.lives[life]), k.changed
		over := life < len(k.lives)-1 || !k.running
		k.mu.Unlock()
		next = min(next, len(lines))
		for _, line := range lines[next:] {
			if !line.at.Before(since) {
				out.print(line.at.UTC().Format("2006-01-02T15:04:05.000000000Z07:00") + " " + line.text)
			}
		}
		next = len(lines)
		if over || query.Get("follow") != "true" {
			return
		}
		select {
		case <-changed:
		case <-closing:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// answerWriter breaks the connection off after that many bytes, -1 for never.
type answerWriter struct {
	w    http.ResponseWriter
	left int
}

func (a *answerWriter) print(text string) {
	if a.left >= 0 && len(text) >= a.left {
		io.WriteString(a.w, text[:a.left])
		a.w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	if a.left >= 0 {
		a.left -= len(text)
	}
	io.WriteString(a.w, text)
	a.w.(http.Flusher).Flush()
}

func (k *kubelet) questions() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.asked)
}

// logSink is a sink that keeps log lines, and fails a test in which a line is
// sent twice, missing or changed after it was complete.
type logSink struct {
	mu      sync.Mutex
	lines   map[train.StreamID][]string
	states  map[train.StreamID]train.StreamStatus
	history map[train.StreamID][]train.StreamState
	numbers map[train.StreamID]int64
	wrong   []string
	applied int // events of lines
}

func newLogSink() *logSink {
	return &logSink{
		lines: map[train.StreamID][]string{}, states: map[train.StreamID]train.StreamStatus{},
		history: map[train.StreamID][]train.StreamState{}, numbers: map[train.StreamID]int64{},
	}
}

func (p *logSink) Apply(events ...store.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, event := range events {
		switch e := event.(type) {
		case store.Logged:
			p.applied++
			for _, line := range e.Lines {
				p.line(e.Stream, line)
			}
		case store.StreamChanged:
			if e.Restart {
				delete(p.lines, e.Stream)
				delete(p.numbers, e.Stream)
			}
			p.states[e.Stream] = e.Status
			if states := p.history[e.Stream]; len(states) == 0 || states[len(states)-1] != e.Status.State {
				p.history[e.Stream] = append(states, e.Status.State)
			}
		}
	}
}

func (p *logSink) line(id train.StreamID, line train.LogLine) {
	switch newest := p.numbers[id]; line.Number {
	case newest:
		p.lines[id][len(p.lines[id])-1] = line.Text
	case newest + 1:
		p.lines[id] = append(p.lines[id], line.Text)
		p.numbers[id] = line.Number
	default:
		p.wrong = append(p.wrong, fmt.Sprintf("line %d of %s after %d", line.Number, id, newest))
	}
}

func (p *logSink) state(id train.StreamID) train.StreamStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.states[id]
}

func (p *logSink) count(id train.StreamID) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.lines[id])
}

// wantLog compares the delivered lines of a log with the printed ones.
func wantLog(t *testing.T, p *logSink, id train.StreamID, want ...string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if got := p.lines[id]; !slices.Equal(got, want) || len(p.wrong) > 0 {
		t.Errorf("%s: told %q, want %q %s", id, got, want, strings.Join(p.wrong, "; "))
	}
}

func wantStream(t *testing.T, p *logSink, id train.StreamID, state train.StreamState, words ...string) {
	t.Helper()
	got := p.state(id)
	if got.State != state {
		t.Errorf("%s is %s (%s), want %s", id, got.State, got.Text, state)
	}
	for _, word := range words {
		if !strings.Contains(got.Text, word) {
			t.Errorf("%s says %q, want %q in it", id, got.Text, word)
		}
	}
}
