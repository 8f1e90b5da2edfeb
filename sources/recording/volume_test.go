package recording_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// everyWriter is a sink that applies the same events to several recordings.
type everyWriter []*recording.Writer

func (all everyWriter) Apply(events ...store.Event) {
	for _, w := range all {
		w.Apply(events...)
	}
}

// drawnAnew returns a line with other decimal places in each number, so that
// repeated lines have new content, as in a real training.
func drawnAnew(line string, random *rand.Rand) string {
	b := []byte(line)
	behindPoint := false
	for i := 1; i < len(b); i++ {
		digit := b[i] >= '0' && b[i] <= '9'
		switch {
		case b[i-1] == '.':
			behindPoint = true
		case !digit:
			behindPoint = false
		case behindPoint:
			b[i] = byte('0' + random.IntN(10))
		}
	}
	return string(b)
}

// TestHowLargeRecordingsOfLogsAre records the demo's logs repeatedly with
// other numbers, through the parser and with a kubelet's timestamps.
func TestHowLargeRecordingsOfLogsAre(t *testing.T) {
	texts := map[train.StreamID][]string{}
	for _, e := range demoEvents(t) {
		if logged, is := e.(store.Logged); is {
			for _, line := range logged.Lines {
				texts[logged.Stream] = append(texts[logged.Stream], line.Text)
			}
		}
	}
	clock := &ticking{now: began}
	var writers everyWriter
	var paths []string
	for _, kept := range []recording.Logs{recording.LogsAll, recording.LogsMetrics} {
		path := fmt.Sprintf("%s/%s.ttrec", t.TempDir(), kept)
		w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Logs: kept}})
		if err != nil {
			t.Fatal(err)
		}
		writers, paths = append(writers, w), append(paths, path)
	}
	feeds := map[train.StreamID]*logfeed.Feed{}
	for id := range texts {
		feeds[id] = logfeed.NewFeed(writers, id, logfeed.Options{Framing: logfeed.FramingTimestamps})
	}
	random := rand.New(rand.NewPCG(1, 2))
	const enough, perSecond = 6 << 20, 25
	text, at := int64(0), 0
	for ; text < enough; at += perSecond {
		clock.add(time.Second)
		for id, lines := range texts {
			var printed []byte
			for n := range perSecond {
				line := drawnAnew(lines[(at+n)%len(lines)], random)
				stamp := clock.Now().Add(time.Duration(n)*40*time.Millisecond + time.Duration(random.IntN(1e6)))
				printed = fmt.Appendf(printed, "%s %s\n", stamp.Format(time.RFC3339Nano), line)
				text += int64(len(line)) + 1
			}
			if _, err := feeds[id].Write(printed); err != nil {
				t.Fatal(err)
			}
		}
	}
	var size [2]float64
	for i, w := range writers {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		size[i] = float64(info.Size())
	}
	t.Logf("bytes on disk for each byte of log text: %.3f, without lines %.3f", size[0]/float64(text), size[1]/float64(text))
	if size[0] > 0.155*float64(text) {
		t.Errorf("%.0f bytes for %d bytes of text", size[0], text)
	}
	if size[1] > 0.6*size[0] {
		t.Errorf("without lines %.0f bytes, with them %.0f", size[1], size[0])
	}
}
