package logfeed

import (
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// barLog writes a log as a kubelet sends it while it is followed; its clock is an hour
// behind ours.
type barLog struct {
	feed *Feed
	sink *sink
	now  time.Time
}

func newBarLog() *barLog {
	l := &barLog{sink: &sink{}, now: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	l.feed = NewFeed(l.sink, train.StreamID{Pod: "bert", Container: "c"}, Options{Framing: FramingTimestamps})
	return l
}

func (l *barLog) node() time.Time { return l.now.Add(-time.Hour) }

func (l *barLog) write(format string, values ...any) { _, _ = fmt.Fprintf(l.feed, format, values...) }

func (l *barLog) stamp() string { return l.node().Format(time.RFC3339Nano) }

// newest checks the time of the newest line, by the node's clock.
func (l *barLog) newest(t *testing.T, number int64, want time.Time) {
	t.Helper()
	if line := l.sink.lines[len(l.sink.lines)-1]; line.Number != number || !line.Time.Equal(want) {
		t.Errorf("the newest line is %d, %q of %s; want %d of %s", line.Number, line.Text, line.Time, number, want)
	}
}

// A bar gets later as it is drawn, and its samples with it, by the clock of its node. A
// line that comes in two parts keeps its time.
func TestALineThatGoesOnGetsLater(t *testing.T) {
	l := newBarLog()
	l.feed.Arrive(func() time.Time { return l.now })
	whole := l.node()
	l.write("%s step 1/900 | lo", l.stamp())
	l.now = l.now.Add(50 * time.Millisecond)
	l.write("ss 3.1\n")
	l.newest(t, 1, whole)

	began := l.node()
	l.write("%s \r 2/900 [loss=3.0]\r", l.stamp())
	for i := 3; i < 900; i++ {
		l.now = l.now.Add(time.Second)
		l.write(" %d/900 [loss=2.9]\r", i)
	}
	if l.newest(t, 2, l.node()); !l.sink.samples[len(l.sink.samples)-1].Time.Equal(l.node()) {
		t.Errorf("the newest sample is of %s, want %s", l.sink.samples[len(l.sink.samples)-1].Time, l.node())
	}
	l.now = l.now.Add(time.Minute)
	l.write(" 900/900 [loss=2.8]\n")
	l.newest(t, 2, l.node())
	if !l.feed.Newest().Equal(began) {
		t.Errorf("reading would go on behind %s, want the time of the kubelet, %s", l.feed.Newest(), began)
	}
}

// A reader's time of the newest part moves the line that it belongs to, with an end
// and without, and no other.
func TestTheTimeOfTheNewestPartIsShown(t *testing.T) {
	for name, end := range map[string]string{"open": "", "ended": "\n"} {
		l := newBarLog()
		l.write("%s \r 1/900 [loss=3.0]\r 2/900 [loss=2.9]"+end, l.stamp())
		l.now = l.now.Add(40 * time.Minute)
		if !l.feed.Unfinished() {
			t.Errorf("%s: a bar may be no newer than its beginning", name)
		}
		l.feed.Arrive(func() time.Time { return l.now })
		l.feed.Printed(l.node().Add(-time.Minute))
		l.newest(t, 1, l.node().Add(-time.Minute))
		l.feed.Printed(l.node().Add(-2 * time.Minute))
		l.newest(t, 1, l.node().Add(-time.Minute))
		l.now = l.now.Add(5 * time.Second)
		if end == "" {
			l.write("\r 3/900 [loss=2.8]")
			l.newest(t, 1, l.node().Add(-time.Minute))
		}
		l.write("\n%s done\n", l.stamp())
		l.feed.Printed(l.node().Add(time.Minute))
		if l.feed.Unfinished() {
			t.Errorf("%s: a whole line may go on", name)
		}
		if line := l.sink.lines[len(l.sink.lines)-1]; line.Text != "done" || !line.Time.Equal(l.node()) {
			t.Errorf("%s: the last line is %q of %s", name, line.Text, line.Time)
		}
	}
}

// A container runtime writes each part of a line with its own time.
func TestPartsOfARuntimeHaveTheirTimes(t *testing.T) {
	got := &sink{}
	f := NewFeed(got, train.StreamID{File: "0.log"}, Options{})
	at := time.Date(2026, 11, 20, 10, 0, 0, 123456789, time.UTC)
	for i := range 3 {
		_, _ = fmt.Fprintf(f, "%s stdout P \r %d/900 [loss=3.0]\n", at.Add(time.Duration(i)*time.Minute).Format(time.RFC3339Nano), i+1)
	}
	if line := got.lines[len(got.lines)-1]; line.Number != 1 || !line.Time.Equal(at.Add(2*time.Minute)) {
		t.Errorf("the line is %d, %q of %s", line.Number, line.Text, line.Time)
	}
}
