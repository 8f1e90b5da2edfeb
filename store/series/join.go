package series

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/traintop/traintop/train"
)

// rankSeries holds what one rank printed in one log.
type rankSeries struct {
	*Source
	// tracker is Row.Rank of its rows, index the rank itself.
	printedRank int32
	index       int
	// base is the number of its first attempt.
	base int
}

// Join builds the run of a job from its logs. It copies no points: tracks
// share the tables.
func Join(sources []Source) *Run { return Rejoin(nil, sources) }

// Rejoin is Join for logs that have grown since before was built; it reuses
// what did not change.
func Rejoin(before *Run, sources []Source) *Run {
	r := &Run{sources: sources, rankSeries: rankSeriesOf(sources), tracks: map[string][]Track{}}
	if before != nil {
		r.dedupResults = before.found()
	}
	r.Metrics = metricsOf(before, r)
	r.Marks = marksOf(before, sources)
	r.Progress = r.estimateProgress(sources)
	return r
}

// rankSeriesOf returns the rank series in order of rank and attempt.
func rankSeriesOf(sources []Source) []rankSeries {
	all := make([]rankSeries, 0, len(sources))
	local := LocalRanks(sources)
	for i := range sources {
		s := &sources[i]
		first := len(all)
		for k := range s.Table.Columns {
			printed := s.Table.Columns[k].Rank
			if slices.ContainsFunc(all[first:], func(one rankSeries) bool { return one.printedRank == printed }) {
				continue
			}
			one := rankSeries{Source: s, printedRank: printed, index: s.RankIndex}
			switch {
			case printed >= 0 && local > 0 && s.Rank >= 0:
				one.index = s.RankIndex*local + int(printed)
			case printed >= 0:
				one.index = int(printed)
			}
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b rankSeries) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.printedRank, b.printedRank), compareUnknown(a, b), cmp.Compare(a.Attempt, b.Attempt))
	})
	for i := range all {
		all[i].base = all[i].Attempt
		if i > 0 && sameSeries(&all[i-1], &all[i]) {
			all[i].base = max(all[i].Attempt, all[i-1].base+all[i-1].attempts())
		}
	}
	return all
}

// LocalRanks is how many ranks each node of a run has whose lines show the rank on their node
// alone, as torchrun's "[default1]:" does: that is where two pods print the same number, and
// each node is taken to have as many as that with the most. It is 0 for other runs.
func LocalRanks(sources []Source) int {
	podOf := map[int32]int{}
	local, most := false, 0
	for i := range sources {
		for k := range sources[i].Table.Columns {
			printed := sources[i].Table.Columns[k].Rank
			if printed < 0 || sources[i].Rank < 0 {
				continue
			}
			pod, met := podOf[printed]
			local = local || met && pod != sources[i].Rank
			podOf[printed] = sources[i].Rank
			most = max(most, int(printed)+1)
		}
	}
	if !local {
		return 0
	}
	return most
}

// compareUnknown orders logs of unknown rank, so that they stay separate.
func compareUnknown(a, b rankSeries) int {
	if a.Rank >= 0 {
		return 0
	}
	return train.CompareStreams(a.Stream, b.Stream)
}

func sameSeries(a, b *rankSeries) bool {
	return a.Rank == b.Rank && a.printedRank == b.printedRank && (a.Rank >= 0 || a.Stream == b.Stream)
}

// attempts counts the attempts within the log.
func (s *rankSeries) attempts() int {
	newest := int32(0)
	for i := range s.Table.Columns {
		if c := &s.Table.Columns[i]; c.Rank == s.printedRank && len(c.Row) > 0 {
			newest = max(newest, s.Table.Rows[c.Row[len(c.Row)-1]].Attempt)
		}
	}
	return int(newest) + 1
}

func (s *rankSeries) column(name string) *Column {
	for i := range s.Table.Columns {
		if c := &s.Table.Columns[i]; c.Rank == s.printedRank && c.Name == name {
			return c
		}
	}
	return nil
}

// metricOrder is the order of the canonical metrics; others follow in order of
// arrival.
var metricOrder = []string{
	train.MetricLoss, train.MetricEvalLoss, train.MetricLR, train.MetricGradNorm, train.MetricAccuracy,
	train.MetricTokens, train.MetricSamples, train.MetricItsSecond, train.MetricStepTime, train.MetricMFU, train.MetricTFLOPS,
}

func metricsOf(before, r *Run) []string {
	if before != nil && slices.EqualFunc(before.rankSeries, r.rankSeries, sameColumns) {
		return before.Metrics
	}
	seen := map[string]bool{}
	var others []string
	for i := range r.rankSeries {
		for k := range r.rankSeries[i].Table.Columns {
			name := r.rankSeries[i].Table.Columns[k].Name
			if !seen[name] && !slices.Contains(metricOrder, name) {
				others = append(others, name)
			}
			seen[name] = true
		}
	}
	names := slices.DeleteFunc(slices.Clone(metricOrder), func(name string) bool { return !seen[name] })
	return append(names, others...)
}

func sameColumns(a, b rankSeries) bool {
	return slices.EqualFunc(a.Table.Columns, b.Table.Columns, func(x, y Column) bool { return x.Name == y.Name })
}

// Tracks returns the tracks of a metric, by rank and attempt. Ranks that
// printed the same points share one track: that of the rank that reaches
// furthest back, the lowest of several.
func (r *Run) Tracks(metric string) []Track {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	tracks, made := r.tracks[metric]
	if !made {
		tracks = dedupTracks(r.dedupResults[metric], r.tracksOf(metric))
		r.tracks[metric] = tracks
	}
	return tracks
}

// found returns what is known of the tracks that were requested.
func (r *Run) found() map[string][]dedupSeries {
	r.mu.Lock()
	defer r.mu.Unlock()
	courses := make(map[string][]dedupSeries, len(r.dedupResults)+len(r.tracks))
	maps.Copy(courses, r.dedupResults)
	for metric, tracks := range r.tracks {
		courses[metric] = dedupSeriesOf(tracks)
	}
	return courses
}

func (r *Run) tracksOf(metric string) []Track {
	all := make([]Track, 0, len(r.rankSeries))
	for i := range r.rankSeries {
		all = r.rankSeries[i].appendTracks(all, metric)
	}
	return all
}

// appendTracks appends the attempts of a metric in a rank series.
func (s *rankSeries) appendTracks(all []Track, metric string) []Track {
	c := s.column(metric)
	if c == nil {
		return all
	}
	rows := s.Table.Rows
	for from := 0; from < len(c.Row); {
		attempt := rows[c.Row[from]].Attempt
		to := from + sort.Search(len(c.Row)-from, func(i int) bool { return rows[c.Row[from+i]].Attempt > attempt })
		all = append(all, Track{
			Stream: s.Stream, Rank: s.Rank, RankIndex: s.index, Attempt: s.base + int(attempt), Ranks: 1, Unit: s.Table.Unit,
			Rows: rows, Row: c.Row[from:to:to], Values: c.Values[from:to:to], sums: c.sums[from:to:to], printedRank: s.printedRank, total: c.totalOf(attempt),
		})
		from = to
	}
	return all
}
