package receivers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/traintop/traintop/alerts"
)

// fake is a receiver that does what a test sets.
type fake struct {
	rates []Rate
	send  func(ctx context.Context, n alerts.Notice) error

	mutex sync.Mutex
	times []time.Time
	ids   []string
}

func (f *fake) Name() string  { return "team" }
func (f *fake) Rates() []Rate { return f.rates }

func (f *fake) Send(ctx context.Context, n alerts.Notice) error {
	f.mutex.Lock()
	f.times, f.ids = append(f.times, time.Now()), append(f.ids, n.ID)
	f.mutex.Unlock()
	if f.send == nil {
		return nil
	}
	return f.send(ctx, n)
}

func (f *fake) tried() []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return append([]string(nil), f.ids...)
}

// deliveries collects what a sender reports.
type deliveries struct {
	mutex sync.Mutex
	all   []string
}

func (d *deliveries) add(n alerts.Notice, result alerts.Delivery) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	text := n.ID
	if result.Failed != "" {
		text += ": " + result.Failed
	}
	d.all = append(d.all, text)
}

func (d *deliveries) list() []string {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return append([]string(nil), d.all...)
}

// numbered is a notice of an incident of its own.
func numbered(i int) alerts.Notice {
	id := fmt.Sprintf("%04d", i)
	return alerts.Notice{ID: id, Change: alerts.Opened, At: time.Now(), Incident: alerts.Incident{ID: alerts.IncidentID(id)}}
}

func newTestSender(f *fake, d *deliveries) *Sender {
	return NewSender(SenderOptions{Receiver: f, Now: time.Now, Delivered: d.add})
}

// closed closes a sender with a grace, and returns what it did not send.
func closed(s *Sender, grace time.Duration) []alerts.Notice {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return s.Close(ctx)
}

func TestNoticesAreSentInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, d := &fake{}, &deliveries{}
		s := newTestSender(f, d)
		for i := range 50 {
			if !s.Send(numbered(i)) {
				t.Fatal("refused")
			}
		}
		if unsent := closed(s, time.Minute); len(unsent) > 0 {
			t.Errorf("%d are not sent", len(unsent))
		}
		for i, id := range d.list() {
			if id != fmt.Sprintf("%04d", i) {
				t.Errorf("%d is %s", i, id)
			}
		}
		if len(d.list()) != 50 || s.Send(numbered(51)) || s.Waiting() != 0 {
			t.Errorf("%d reported; a closed sender takes more, %d wait", len(d.list()), s.Waiting())
		}
	})
}

// TestRetriesWithGrowingPauses until it works.
func TestRetriesWithGrowingPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, tries := &deliveries{}, 0
		f := &fake{send: func(context.Context, alerts.Notice) error {
			if tries++; tries < 9 {
				return &alerts.RetryError{Err: errors.New("down")}
			}
			return nil
		}}
		s := newTestSender(f, d)
		s.Send(numbered(1))
		time.Sleep(50 * time.Minute)
		synctest.Wait()
		if got := d.list(); len(got) != 1 || got[0] != "0001" || tries != 9 {
			t.Errorf("%d tries, reported %q", tries, got)
		}
		least := time.Second
		for i := 1; i < len(f.times); i++ {
			pause := f.times[i].Sub(f.times[i-1])
			if pause < least || pause > 2*least {
				t.Errorf("pause %d is %s, want %s to %s", i, pause, least, 2*least)
			}
			least = min(2*least, 5*time.Minute)
		}
		closed(s, time.Minute)
	})
}

// The failure of a receiver is reported once, at its first failure, and its
// recovery once, also where it then refuses the notice.
func TestThatAReceiverFailsIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		f := &fake{send: func(context.Context, alerts.Notice) error {
			switch tries++; {
			case tries < 9:
				return &alerts.RetryError{Err: errors.New("down")}
			case tries == 9:
				return errors.New("no such channel")
			}
			return nil
		}}
		d, begun := &deliveries{}, time.Now()
		var outcomes []string
		s := NewSender(SenderOptions{Receiver: f, Now: time.Now, Delivered: d.add, Trouble: func(err error) {
			outcomes = append(outcomes, fmt.Sprintf("%v after %t", err, time.Since(begun) < time.Second))
		}})
		s.Send(numbered(1))
		s.Send(numbered(2))
		if unsent := closed(s, time.Hour); len(unsent) > 0 {
			t.Errorf("%d are not sent", len(unsent))
		}
		if want := []string{"down after true", "<nil> after false"}; !slices.Equal(outcomes, want) {
			t.Errorf("told are %q, want %q", outcomes, want)
		}
	})
}

// TestAReceiverIsGivenUpAfterAnHour, and then the notice is reported once.
func TestAReceiverIsGivenUpAfterAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &deliveries{}
		f := &fake{send: func(context.Context, alerts.Notice) error { return &alerts.RetryError{Err: errors.New("down")} }}
		s := newTestSender(f, d)
		s.Send(numbered(1))
		time.Sleep(59 * time.Minute)
		synctest.Wait()
		if len(d.list()) != 0 {
			t.Errorf("reported early: %q", d.list())
		}
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		if got := d.list(); len(got) != 1 || !strings.Contains(got[0], "given up after 6") || !strings.HasSuffix(got[0], "down") || s.Waiting() != 0 {
			t.Errorf("reported %q, %d wait", got, s.Waiting())
		}
		closed(s, time.Minute)
	})
}

// TestAllThatWaitedForAnHourAreGivenUp at once, not one by one with a pause
// between, and a notice with the ID of another takes its place.
func TestAllThatWaitedForAnHourAreGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &deliveries{}
		f := &fake{send: func(context.Context, alerts.Notice) error { return &alerts.RetryError{Err: errors.New("down")} }}
		s := newTestSender(f, d)
		for i := range 300 {
			s.Send(numbered(i))
		}
		for i := range 100 {
			again := numbered(0)
			again.ID, again.Change, again.Cluster = "again", alerts.Repeated, fmt.Sprint(i)
			s.Send(again)
		}
		if s.Waiting() != 301 {
			t.Errorf("%d wait", s.Waiting())
		}
		time.Sleep(75 * time.Minute)
		synctest.Wait()
		if got := d.list(); len(got) != 301 || s.Waiting() != 0 || !strings.Contains(strings.Join(got, "\n"), "again: given up") || len(f.tried()) > 40 {
			t.Errorf("%d reported, %d wait, %d tries", len(got), s.Waiting(), len(f.tried()))
		}
		closed(s, time.Minute)
	})
}

// TestRetryAfterIsHonoured for all notices: it is the receiver that asks.
func TestRetryAfterIsHonoured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, first := &deliveries{}, true
		f := &fake{send: func(context.Context, alerts.Notice) error {
			if first {
				first = false
				return &alerts.RetryError{Err: errors.New("too fast"), After: 10 * time.Minute}
			}
			return nil
		}}
		s := newTestSender(f, d)
		s.Send(numbered(1))
		time.Sleep(time.Minute)
		s.Send(numbered(2))
		time.Sleep(8 * time.Minute)
		synctest.Wait()
		if got := f.tried(); len(got) != 1 {
			t.Errorf("tried within the ten minutes: %q", got)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if got := d.list(); len(got) != 2 {
			t.Errorf("reported %q", got)
		}
		closed(s, time.Minute)
	})
}

// TestAFinalErrorIsReportedAndTheNextIsSent at once.
func TestAFinalErrorIsReportedAndTheNextIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &deliveries{}
		f := &fake{send: func(_ context.Context, n alerts.Notice) error {
			if n.ID == "0001" {
				return errors.New("no such chat")
			}
			return nil
		}}
		s := newTestSender(f, d)
		s.Send(numbered(1))
		s.Send(numbered(2))
		synctest.Wait()
		if got := d.list(); len(got) != 2 || got[0] != "0001: no such chat" || got[1] != "0002" {
			t.Errorf("reported %q", got)
		}
		closed(s, time.Minute)
	})
}

// TestOneNoticeThatFailsDoesNotHoldUpOthers, but those of its incident, whose
// order matters.
func TestOneNoticeThatFailsDoesNotHoldUpOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &deliveries{}
		var mended atomic.Bool
		f := &fake{send: func(_ context.Context, n alerts.Notice) error {
			if n.ID == "0001" && !mended.Load() {
				return &alerts.RetryError{Err: errors.New("status 500")}
			}
			return nil
		}}
		s := newTestSender(f, d)
		end := numbered(1)
		end.ID, end.Change = "0001-end", alerts.Resolved
		s.Send(numbered(1))
		s.Send(end)
		for i := 2; i < 10; i++ {
			s.Send(numbered(i))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := d.list(); len(got) != 8 {
			t.Errorf("reported %q", got)
		}
		mended.Store(true)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if got := d.list(); len(got) != 10 || got[8] != "0001" || got[9] != "0001-end" {
			t.Errorf("reported %q", got)
		}
		closed(s, time.Minute)
	})
}

// TestRatesAreKept: no window of a rate's time has more messages than it allows.
func TestRatesAreKept(t *testing.T) {
	for _, kind := range Kinds() {
		if len(kind.Rates) == 0 {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			f, d := &fake{rates: kind.Rates}, &deliveries{}
			s := newTestSender(f, d)
			const many = 200
			for i := range many {
				s.Send(numbered(i))
			}
			if unsent := closed(s, time.Hour); len(unsent) > 0 {
				t.Errorf("%s: %d are not sent", kind.Type, len(unsent))
			}
			for _, rate := range kind.Rates {
				for i := range f.times {
					n := 0
					for _, at := range f.times[i:] {
						if at.Sub(f.times[i]) < rate.Per {
							n++
						}
					}
					if n > rate.Messages {
						t.Errorf("%s: %d messages within %s, and %d are allowed", kind.Type, n, rate.Per, rate.Messages)
						break
					}
				}
			}
			// And it is no slower than it has to be: less than twice the time.
			took, slowest := f.times[many-1].Sub(f.times[0]), time.Duration(0)
			for _, rate := range kind.Rates {
				slowest = max(slowest, time.Duration(many/rate.Messages)*rate.Per)
			}
			if took > 2*slowest {
				t.Errorf("%s: %d messages took %s", kind.Type, many, took)
			}
		})
	}
}

// TestOfAFullQueueTheOldestAreDroppedAndReported, and Send does not wait for a
// receiver that hangs.
func TestOfAFullQueueTheOldestAreDroppedAndReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, release := &deliveries{}, make(chan struct{})
		f := &fake{send: func(ctx context.Context, _ alerts.Notice) error {
			select {
			case <-release:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		s := NewSender(SenderOptions{Receiver: f, Now: time.Now, Delivered: d.add, Queue: 10})
		s.Send(numbered(0))
		synctest.Wait() // it hangs in the first
		before := time.Now()
		for i := 1; i < 25; i++ {
			s.Send(numbered(i))
		}
		if waited := time.Since(before); waited > 0 {
			t.Errorf("the caller waited %s", waited)
		}
		if s.Dropped() != 15 || s.Waiting() != 10 {
			t.Errorf("%d dropped, %d wait", s.Dropped(), s.Waiting())
		}
		close(release)
		if unsent := closed(s, time.Minute); len(unsent) > 0 {
			t.Errorf("%d are not sent", len(unsent))
		}
		dropped, sent := 0, 0
		for _, text := range d.list() {
			if strings.Contains(text, "the queue of team is full with 10 notices; the oldest are dropped, 15 so far") {
				dropped++
			} else {
				sent++
			}
		}
		if dropped != 15 || sent != 10 || d.list()[0] != "0000" {
			t.Errorf("%d dropped, %d sent: %q", dropped, sent, d.list())
		}
	})
}

// TestCloseReturnsWhatIsNotSent when a receiver is dead, and leaves nothing
// running.
func TestCloseReturnsWhatIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &deliveries{}
		f := &fake{send: func(ctx context.Context, _ alerts.Notice) error { <-ctx.Done(); return ctx.Err() }}
		s := newTestSender(f, d)
		for i := range 3 {
			s.Send(numbered(i))
		}
		began := time.Now()
		unsent := closed(s, 5*time.Second)
		if len(unsent) != 3 || unsent[0].ID != "0000" || time.Since(began) != 5*time.Second || len(d.list()) != 0 {
			t.Errorf("%d unsent after %s, reported %q", len(unsent), time.Since(began), d.list())
		}
		if again := closed(s, time.Second); len(again) != 3 {
			t.Errorf("the second Close returns %d", len(again))
		}
	})
}

// TestAHangingTryEnds at the sender's own deadline, whatever a receiver does.
func TestAHangingTryEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &deliveries{}
		f := &fake{send: func(ctx context.Context, _ alerts.Notice) error { <-ctx.Done(); return ctx.Err() }}
		s := newTestSender(f, d)
		s.Send(numbered(1))
		time.Sleep(LongestTry + time.Second)
		synctest.Wait()
		if got := d.list(); len(got) != 1 || !strings.Contains(got[0], "deadline exceeded") {
			t.Errorf("reported %q", got)
		}
		closed(s, time.Second)
	})
}

// TestADeadReceiverDoesNotHoldUpAnother, with many goroutines that send: for the
// race detector.
func TestADeadReceiverDoesNotHoldUpAnother(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dead := newTestSender(&fake{send: func(ctx context.Context, _ alerts.Notice) error { <-ctx.Done(); return ctx.Err() }}, &deliveries{})
	live, d := &fake{}, &deliveries{}
	alive := newTestSender(live, d)
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 100 {
				dead.Send(numbered(g*100 + i))
				alive.Send(numbered(g*100 + i))
				_, _ = alive.Dropped(), alive.Waiting()
			}
		})
	}
	all.Wait()
	if unsent := closed(alive, 10*time.Second); len(unsent) > 0 || len(d.list()) != 800 {
		t.Errorf("%d unsent, %d reported", len(unsent), len(d.list()))
	}
	if unsent := closed(dead, 10*time.Millisecond); len(unsent) != 800 {
		t.Errorf("%d unsent of the dead one", len(unsent))
	}
}
