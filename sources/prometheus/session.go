package prometheus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// session is the session with one server, until it has to be searched for again.
type session struct {
	source   *Source
	endpoint *Endpoint
	server   *metrics.Prometheus
	names    []string // of all metrics
	gpus     int      // how many of them are metrics of GPUs
	namedAt  time.Time
	// namesDoubt is the server's warning that names are missing, "" for none.
	namesDoubt string
	// shift is added to the server's clock to get ours.
	shift time.Duration
	// farOff reports that the server's clock is too far off to be corrected, "" while
	// it is not.
	farOff string
	// pace is how often exporters are scraped; 0 when not known.
	pace time.Duration
	// every is the time between two rounds: longer than configured when the
	// server is slow.
	every time.Duration

	rounds   int
	failures int
	retry    backoff
	next     time.Time // the next round
	usageAt  time.Time // the next query of nodes and pods
	past     pastQueue
	// recalled is true once the past of the clusters in use is queued.
	recalled bool
	warnings []string
	// clusters is what the server reports about the clusters that it holds, nil until
	// it was asked; match is added to each selector, and chosen are the clusters
	// that it names. noCluster: none of several could be chosen. clusterNote names
	// which were seen and taken.
	clusters    *clusterSurvey
	match       string
	chosen      []string
	noCluster   bool
	clusterNote string
	// old is the message about GPUs that are left out because their samples are old.
	old string
	// blank is the message about GPUs of which every number is NaN or blank.
	blank string
	// foreign is the message about GPUs that are left out because this cluster does
	// not have their machines, which are foreignMachines.
	foreign         string
	foreignMachines map[string]bool
	// unanswered is the first error of a query of this round, nil if all were
	// answered.
	unanswered error
}

func newReading(s *Source, at found) *session {
	r := &session{source: s, endpoint: at.endpoint, server: metrics.NewPrometheus(s.options.Match), match: s.options.Match, every: s.options.Every}
	if at.names.names != nil {
		r.use(at.names)
	}
	return r
}

// use takes the names of metrics. Where the answer is incomplete, the names of before stay.
func (r *session) use(list nameList) {
	names := list.names
	if list.doubt != "" && r.names != nil {
		names = slices.Concat(names, r.names)
		slices.Sort(names)
		names = slices.Compact(names)
	}
	r.names, r.namesDoubt, r.namedAt = names, list.doubt, r.source.options.Now()
	r.gpus = r.server.SetNames(names)
}

// run works sequentially: it runs rounds when they are due, and between them what
// is less urgent.
func (r *session) run(ctx context.Context) {
	now := r.source.options.Now
	for ctx.Err() == nil {
		switch at := now(); {
		case !at.Before(r.next):
			if !r.round(ctx) {
				return
			}
		case r.failures == 0 && !at.Before(r.usageAt):
			r.usage(ctx)
		case r.failures == 0 && r.past.pending():
			r.recall(ctx)
		default:
			wake := r.next
			if r.failures == 0 && r.usageAt.Before(wake) {
				wake = r.usageAt
			}
			sleep(ctx, wake.Sub(at))
		}
	}
}

// round queries GPUs. false: the server has to be searched for again.
func (r *session) round(ctx context.Context) bool {
	began := r.source.options.Now()
	r.warnings, r.unanswered = nil, nil
	limited, cancel := context.WithTimeoutCause(ctx, roundTimeout, &lateError{roundTimeout})
	err := r.ask(limited, began)
	cancel()
	if ctx.Err() != nil {
		return true
	}
	if err != nil {
		return r.failed(err)
	}
	r.failures, r.retry = 0, backoff{}
	r.rounds++
	took := r.source.options.Now().Sub(began)
	r.adapt(took)
	r.next = began.Add(r.every)
	r.sayUnanswered()
	r.source.tell.report(SourceName, r.health(), 0)
	return true
}

// adapt queries a slow server less often, so that queries take at most a quarter of the time.
func (r *session) adapt(took time.Duration) {
	every := r.source.options.Every
	for every < 4*took {
		every += r.source.options.Every
	}
	r.every = every
}

// ask runs all queries of a round. The first round sends what it has before it runs
// the rest.
func (r *session) ask(ctx context.Context, began time.Time) error {
	if err := r.renewNames(ctx, began); err != nil {
		return err
	}
	slow := r.rounds%slowRounds == 0
	if slow || r.noCluster {
		r.chooseCluster(ctx)
	}
	r.server.Begin(slow)
	if r.noCluster {
		r.publish(ctx, true)
		return ctx.Err()
	}
	if slow {
		_, err := r.questions(ctx, r.server.Identities())
		r.noteUnanswered(err)
	}
	answered, missed := r.questions(ctx, r.server.Quick())
	if missed != nil && answered == 0 {
		return missed
	}
	r.noteUnanswered(missed)
	if crowded := (*crowdedError)(nil); errors.As(r.unanswered, &crowded) {
		r.publish(ctx, false)
		return nil // more queries would not help
	}
	_, err := r.questions(ctx, r.server.Ages())
	r.noteUnanswered(err)
	if slow {
		if r.rounds == 0 {
			r.publish(ctx, missed == nil)
		}
		_, err := r.questions(ctx, r.server.Slow())
		r.noteUnanswered(err)
	}
	if ctx.Err() == context.Canceled { //nolint:errorlint // the context's own
		return ctx.Err()
	}
	r.publish(ctx, missed == nil)
	r.noteRejected()
	if !r.recalled {
		r.recalled = true
		r.past.fill(r.server.Pasts(), r.source.options, r.server.Count())
		r.sayPastPending() // before the round is reported, or the source would count as settled
	}
	return nil
}

// renewNames reads the list of metrics again after namesInterval, or sooner where it was
// incomplete.
func (r *session) renewNames(ctx context.Context, now time.Time) error {
	interval := namesInterval
	if r.namesDoubt != "" {
		interval = partialNamesInterval
	}
	if r.names == nil || now.Sub(r.namedAt) >= interval {
		names, err := metricNames(ctx, r.endpoint, now, queryTimeout)
		if err != nil && r.names == nil {
			return fmt.Errorf("asking for the names of metrics: %w", err)
		}
		if err == nil {
			r.use(names)
		}
		r.pace, r.clusters = 0, nil
	}
	if r.clusters == nil || r.clusters.doubt != "" {
		clusters, err := r.survey(ctx)
		r.noteUnanswered(err)
		r.clusters = clusters
	}
	if r.pace == 0 {
		r.pace = r.askPace(ctx)
	}
	return ctx.Err()
}

// paceWindow is the time over which the samples of metrics.Prometheus.Pace count.
const paceWindow = 5 * time.Minute

// askPace measures how often exporters are scraped, so that a sample does not
// count as old before the next one can exist. If unknown, it is the time between
// two rounds.
func (r *session) askPace(ctx context.Context) time.Duration {
	query := r.server.Pace()
	if query == "" {
		return 0
	}
	var samples float64
	err := r.endpoint.get(ctx, queryTimeout, "/api/v1/query", instantly(query), func(in io.Reader) (err error) {
		samples, _, err = metrics.ReadPromNumber(in)
		return err
	})
	if err != nil || samples < 1 {
		return r.every
	}
	return (paceWindow / time.Duration(samples)).Round(time.Second)
}

func instantly(query string) url.Values {
	return url.Values{"query": {query}, "timeout": {queryTimeout.String()}}
}

// questions runs several queries, and continues after those that fail alone. It
// returns how many were answered, and why the first of the others was not.
func (r *session) questions(ctx context.Context, queries []metrics.PromQuery) (answered int, failed error) {
	for _, q := range queries {
		n, err := r.question(ctx, q)
		answered += n
		if err != nil && failed == nil {
			failed = err
		}
		if err != nil && (!tooMuch(err) && n == 0 || ctx.Err() != nil) {
			break
		}
	}
	return answered, failed
}

// question runs one query. If it is too much for the server, it is split, and
// queries are smaller in later rounds.
func (r *session) question(ctx context.Context, q metrics.PromQuery) (answered int, err error) {
	asked := r.source.options.Now()
	err = r.endpoint.get(ctx, queryTimeout, "/api/v1/query", instantly(q.Text), func(in io.Reader) error {
		answer, err := r.server.Read(q, in)
		r.warn(answer.Warnings)
		r.clock(asked, answer.At)
		return err
	})
	if err == nil {
		return 1, nil
	}
	if crowded := r.crowded(ctx, q, err); crowded != nil {
		r.server.Crowded()
		return answeredInPart(err), crowded
	}
	err = named(q, err)
	parts := q.Split()
	if !tooMuch(err) || len(parts) < 2 {
		return 0, err
	}
	r.server.AskLess(q)
	return r.questions(ctx, parts)
}

// sameClock is how far two clocks may differ to count as equal: the duration of a
// query is part of the difference.
const sameClock = 2 * time.Second

// clock compares the server's time with ours. It changes the shift only if it is
// clearly different, so that a sample keeps its time from round to round.
func (r *session) clock(asked, at time.Time) {
	if at.IsZero() {
		return
	}
	shift := asked.Sub(at)
	if r.farOff = ""; !at.Add(shift).Equal(asked) { // the difference does not fit into a time.Duration
		r.shift, r.farOff = 0, clockNote(shift)+", which is too much to correct times by: its numbers have times that cannot be used"
		return
	}
	if shift.Abs() <= sameClock {
		shift = 0
	}
	if (shift - r.shift).Abs() > sameClock {
		r.shift = shift.Round(time.Millisecond)
	}
}

func (r *session) warn(warnings []string) {
	for _, text := range warnings {
		if text = oneLine(text); len(r.warnings) < 3 && !slices.Contains(r.warnings, text) {
			r.warnings = append(r.warnings, text)
		}
	}
}

// publish sends the readings of all GPUs to the sink.
func (r *session) publish(ctx context.Context, complete bool) {
	readings := r.dropForeign(ctx, r.server.Readings(r.shift, complete))
	every := max(r.every, r.pace)
	covered := map[string]bool{}
	oldest := r.source.options.Now().Add(-train.StaleAfter * every)
	for i := range readings {
		g := &readings[i].GPU
		if readings[i].At.After(oldest) {
			covered[g.Node], covered[g.Host] = true, true
		}
	}
	r.noteOld(readings, train.ExpiredAfter*every)
	r.noteBlank(readings)
	delete(covered, "")
	r.source.covered.Store(&covered)
	r.source.sink.Apply(store.Measured{Source: SourceName, Readings: readings, Every: every})
}

// noteOld reports how many GPUs are left out because their newest sample is too
// old to be shown.
func (r *session) noteOld(readings []train.GPUReading, most time.Duration) {
	now, old, newest := r.source.options.Now(), 0, time.Duration(0)
	for i := range readings {
		age := now.Sub(readings[i].At)
		if readings[i].At.IsZero() || age <= most {
			continue
		}
		if old++; newest == 0 || age < newest {
			newest = age
		}
	}
	r.old = ""
	if old > 0 {
		r.old = fmt.Sprintf("the newest sample of %s is %s old, older than %s, and is left out: see whether the exporter is still scraped",
			termtext.Count(old, "GPU"), termtext.Duration(newest), termtext.Duration(most))
	}
}

// noteBlank reports of how many GPUs the server has series and no number.
func (r *session) noteBlank(readings []train.GPUReading) {
	r.blank = ""
	blank := 0
	for i := range readings {
		if readings[i].Values.Count() == 0 && len(readings[i].Events) == 0 {
			blank++
		}
	}
	if blank > 0 {
		r.blank = fmt.Sprintf("no number of %s is known, every value is NaN or blank: see whether the exporter still reaches the driver", termtext.Count(blank, "GPU"))
	}
}

// noteUnanswered records that a query was not answered, which does not stop the round.
func (r *session) noteUnanswered(err error) {
	if r.unanswered == nil {
		r.unanswered = err
	}
}

// sayUnanswered reports which part of the numbers is missing, before the round
// counts as answered: whoever waits for it would think that they are complete.
func (r *session) sayUnanswered() {
	if r.unanswered == nil {
		r.source.tell.well(PartSource)
		return
	}
	what := "asking Prometheus at " + r.endpoint.String() + " for all numbers of GPUs: a part of the questions was not answered, and what they ask for is missing"
	r.source.tell.report(PartSource, trouble(what, r.endpoint, r.unanswered), r.next.Sub(r.source.options.Now()))
}

// noteRejected reports numbers that were left out as impossible.
func (r *session) noteRejected() {
	problems, dropped := r.server.Problems()
	if len(problems) == 0 {
		return
	}
	text := problems[0].String()
	if more := len(problems) - 1 + dropped; more > 0 {
		text += " (and " + termtext.More(more, "") + " like it)"
	}
	r.warn([]string{text})
}

// health is the state after a round that was answered.
func (r *session) health() train.Health {
	var notes []string
	switch partial := "it gave only a part of the names of its metrics: " + r.namesDoubt; {
	case r.namesDoubt != "" && r.gpus == 0:
		notes = append(notes, "whether "+r.endpoint.String()+" has metrics of GPUs is not known: "+partial)
	case r.namesDoubt != "":
		notes = append(notes, partial)
	case r.gpus == 0:
		notes = append(notes, r.endpoint.String()+" has no metrics of GPUs: it scrapes no exporter of them")
	}
	if r.clusters != nil && r.clusters.doubt != "" && !slices.Contains(r.warnings, r.clusters.doubt) {
		notes = append(notes, "which clusters it holds: "+r.clusters.doubt)
	}
	if r.clusterNote != "" {
		notes = append(notes, r.clusterNote)
	}
	for _, note := range []string{r.foreign, r.old, r.blank} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	if len(r.warnings) > 0 {
		notes = append(notes, strings.Join(r.warnings, "; "))
	}
	if r.every > r.source.options.Every {
		notes = append(notes, fmt.Sprintf("its answers take long, so it is asked every %s", termtext.Duration(r.every)))
	}
	if r.farOff != "" {
		notes = append(notes, r.farOff)
	}
	if shift := r.shift.Round(time.Second); shift.Abs() > 30*time.Second {
		notes = append(notes, clockNote(shift)+"; times are corrected by that")
	}
	return train.Health{State: train.SourceLive, Text: strings.Join(notes, "; ")}
}

// clockNote reports how far the server's clock is off.
func clockNote(shift time.Duration) string {
	side := "behind"
	if shift < 0 {
		side = "ahead of"
	}
	return fmt.Sprintf("its clock is %s %s ours", train.ClockGap(shift), side)
}

// failed reports why a round failed. Earlier readings stay, with their age.
func (r *session) failed(err error) bool {
	r.failures++
	wait := r.retry.next()
	h := trouble("asking Prometheus at "+r.endpoint.String(), r.endpoint, err)
	if h.State == train.SourceForbidden {
		wait = max(wait, rightsRetry)
	}
	r.source.covered.Store(nil)
	r.source.tell.report(SourceName, h, wait)
	r.next = r.source.options.Now().Add(wait)
	found := r.source.options.Endpoint == nil
	return !found || !elsewhere(err) && r.failures < failuresUntilSearch
}
