package prometheus

import (
	"context"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

const (
	// pastStep is the time between two points of the past: the resolution of a
	// sparkline of an hour.
	pastStep = time.Minute
	// mostPoints bounds the points of one answer, and so its memory: 32 bytes
	// each.
	mostPoints = 400_000
	// leastPoints prevents a piece of the past from having more labels than points.
	leastPoints = 10
)

// pastQueue contains the pieces of the past that are still to be queried.
type pastQueue struct {
	pieces []pastPiece
	// doubt states what was wrong with the newest answer that was not whole, "" for
	// none.
	doubt string
}

type pastPiece struct {
	query metrics.PromQuery
	// from and to are durations before now.
	from, to time.Duration
	tries    int
}

// fill adds the pieces: one metric at a time, the newest time first, each short
// enough to keep the answer small.
func (p *pastQueue) fill(queries []metrics.PromQuery, o Options, gpus int) {
	points := max(leastPoints, mostPoints/max(gpus, 1))
	length := time.Duration(points) * pastStep
	for from := time.Duration(0); from < o.Past; from += length {
		for _, q := range queries {
			p.pieces = append(p.pieces, pastPiece{query: q, from: min(from+length, o.Past), to: from})
		}
	}
}

func (p *pastQueue) pending() bool { return len(p.pieces) > 0 }

// pastTries is how often a piece is queried.
const pastTries = 2

// recall queries one piece of the past.
func (r *session) recall(ctx context.Context) {
	piece := r.past.pieces[0]
	r.past.pieces = r.past.pieces[1:]
	now := r.source.options.Now().Add(-r.shift)
	end := now.Truncate(pastStep).Add(-piece.to)
	var reported []train.GPUPast
	err := r.endpoint.get(ctx, queryTimeout, "/api/v1/query_range", url.Values{
		"query": {piece.query.Text}, "start": {unix(end.Add(pastStep - (piece.from - piece.to)))}, "end": {unix(end)},
		"step": {strconv.Itoa(int(pastStep.Seconds()))}, "timeout": {queryTimeout.String()},
	}, func(in io.Reader) error {
		past, answer, err := r.server.ReadPast(piece.query, in, r.shift)
		reported = past
		if len(answer.Warnings) > 0 {
			r.past.doubt = "the last hour: " + oneLine(strings.Join(answer.Warnings, "; "))
		}
		return err
	})
	reported = slices.DeleteFunc(reported, func(p train.GPUPast) bool { return r.foreignMachines[machineOf(&p.GPU)] })
	if len(reported) > 0 {
		r.source.sink.Apply(store.Backfilled{Source: SourceName, Past: reported})
	}
	switch piece.tries++; {
	case ctx.Err() != nil:
	case err == nil && r.source.options.AwaitPast && r.past.pending():
	case err == nil && r.past.doubt != "":
		r.source.tell.report(PastSource, train.Health{State: train.SourceLive, Text: r.past.doubt}, 0)
	case err == nil:
		r.source.tell.well(PastSource)
	case piece.tries < pastTries:
		r.past.pieces = append(r.past.pieces, piece)
	default:
		r.past.pieces = nil
		h := trouble("reading the last hour from "+r.endpoint.String(), r.endpoint, err)
		h.Text += "; the curves of GPUs begin now"
		h.State = train.SourceFailed
		r.source.tell.report(PastSource, h, 0)
	}
}

// sayPastPending reports that the past is still to be read, to callers that wait for it.
func (r *session) sayPastPending() {
	if r.source.options.AwaitPast && r.past.pending() {
		r.source.tell.report(PastSource, train.Health{State: train.SourceConnecting, Text: "reading the last hour from " + r.endpoint.String()}, 0)
	}
}
