package kube

import (
	"bytes"
	"context"
	"io"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
)

// clockCheck is how long a resumed log may be silent before its last line is
// requested.
const clockCheck = 15 * time.Second

// lastAsked limits how much is read of the last line.
const lastAsked = 64 << 10

// watchClock detects that a node's clock went back while its log was not
// followed: the lines printed since are before sinceTime, and the kubelet
// leaves them out. last is the newest line delivered before this answer. If
// the log ends with an earlier line, watchClock makes the stream read the log
// from its beginning and skip known lines.
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

// lastStamp returns the time of a log's last line.
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
