package kube

import (
	"bytes"
	"context"
	"io"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
)

// clockCheck is how long after it was taken up again a followed log may be
// silent before its last line is asked for.
const clockCheck = 15 * time.Second

// lastAsked bounds what is read of the last line.
const lastAsked = 64 << 10

// watchClock finds a node's clock that went back while its log was not
// followed: what was printed since then is before sinceTime, and the kubelet
// leaves it out. last is the newest line told when this answer began. When
// the log ends with an earlier one, the stream is made to read the log
// from its beginning, and to skip what it knows.
func (s *logStream) watchClock(ctx context.Context, r logRequest, last time.Time) {
	if !client.Sleep(ctx, clockCheck) || s.news.Load() {
		return
	}
	newest, err := lastStamp(ctx, s.run.connection, s, r)
	if err == nil && newest.Before(last) {
		s.distrust.Store(true)
		s.lookAgain()
	}
}

// lastStamp is the time of the last line of a log.
func lastStamp(ctx context.Context, c *client.Connection, s *logStream, r logRequest) (time.Time, error) {
	body, err := openLog(ctx, c, s.id, logRequest{previous: r.previous, tail: 1})
	if err != nil {
		return time.Time{}, err
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, lastAsked))
	if err != nil {
		return time.Time{}, err
	}
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	stamp, _, _ := strings.Cut(string(line[:min(len(line), longestWord)]), " ")
	return time.Parse(time.RFC3339Nano, stamp)
}
