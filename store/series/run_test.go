package series

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// tableOf returns a table of samples at full resolution.
func tableOf(samples ...train.Sample) Table {
	r := NewRecorder(1_000_000)
	r.Add(samples...)
	return r.Table()
}

func source(rank, attempt int, samples ...train.Sample) Source {
	return Source{
		Stream: train.StreamID{Pod: fmt.Sprint("pod-", rank), Restart: attempt}, Rank: rank, RankIndex: rank, Attempt: attempt,
		Table: tableOf(samples...),
	}
}

// steps returns samples of steps from, from+by, ..., seconds apart.
func steps(from, to, by, second, seconds int) (all []train.Sample) {
	for step := from; step <= to; step += by {
		all = append(all, at(float64(step), second, 10/float64(step+1)))
		second += seconds
	}
	return all
}

// titles returns "rank.attempt:points×ranks" of each track.
func titles(tracks []Track) (all []string) {
	for i := range tracks {
		t := &tracks[i]
		all = append(all, fmt.Sprintf("%d.%d:%d×%d", t.RankIndex, t.Attempt, t.Len(), t.Ranks))
	}
	return all
}

func wantTitles(t *testing.T, run *Run, metric string, want ...string) {
	t.Helper()
	if got := titles(run.Tracks(metric)); !slices.Equal(got, want) {
		t.Errorf("tracks of %s are %v, want %v", metric, got, want)
	}
}

func TestMetricsStandInAFixedOrder(t *testing.T) {
	s := at(1, 0, 1)
	s.Metrics = []train.Metric{{Name: "kl"}, {Name: train.MetricLR}, {Name: train.MetricLoss}, {Name: "aux"}, {Name: train.MetricEvalLoss}}
	if got := fmt.Sprint(Join([]Source{source(0, 0, s)}).Metrics); got != "[loss eval_loss lr kl aux]" {
		t.Errorf("metrics are %s", got)
	}
}

func TestRanksThatPrintTheSameAreOneTrack(t *testing.T) {
	run := Join([]Source{
		source(0, 0, steps(0, 100, 1, 0, 1)...),
		source(1, 0, steps(0, 99, 1, 0, 1)...),    // one step behind
		source(2, 0, steps(90, 100, 1, 90, 1)...), // only its end was read
		source(3, 0, at(0, 0, 10), at(1, 1, 7), at(2, 2, 3)),
	})
	wantTitles(t, run, train.MetricLoss, "0.0:101×3", "3.0:3×1")
}

func TestTheRankThatReachesBackFurthestStandsForAll(t *testing.T) {
	run := Join([]Source{source(0, 0, steps(90, 100, 1, 90, 1)...), source(1, 0, steps(0, 100, 1, 0, 1)...)})
	wantTitles(t, run, train.MetricLoss, "1.0:101×2")
}

func TestWhatALaterAttemptPrintsAgainIsNotFolded(t *testing.T) {
	run := Join([]Source{
		source(0, 0, steps(0, 50, 1, 0, 1)...), source(0, 1, steps(30, 80, 1, 600, 1)...),
		source(1, 0, steps(0, 50, 1, 0, 1)...), source(1, 1, steps(30, 80, 1, 600, 1)...),
	})
	wantTitles(t, run, train.MetricLoss, "0.0:51×2", "0.1:51×2")
}

func TestRanksThatBeginToDifferComeApart(t *testing.T) {
	same := []Source{source(0, 0, steps(0, 50, 1, 0, 1)...), source(1, 0, steps(0, 50, 1, 0, 1)...)}
	run := Join(same)
	wantTitles(t, run, train.MetricLoss, "0.0:51×2")
	apart := []Source{same[0], source(1, 0, append(steps(0, 50, 1, 0, 1), at(51, 51, 99))...)}
	apart[0] = source(0, 0, append(steps(0, 50, 1, 0, 1), at(51, 51, 1))...)
	run = Rejoin(run, apart)
	wantTitles(t, run, train.MetricLoss, "0.0:52×1", "1.0:52×1")
	wantTitles(t, Rejoin(run, apart), train.MetricLoss, "0.0:52×1", "1.0:52×1")
}

func TestFoldingSurvivesThinning(t *testing.T) {
	var sources []Source
	for rank := range 3 {
		r := NewRecorder(3000)
		for _, s := range steps(rank*7, 20_000, 1, rank*7, 1) {
			r.Add(s)
		}
		sources = append(sources, Source{Rank: rank, RankIndex: rank, Table: r.Table()})
	}
	if tracks := Join(sources).Tracks(train.MetricLoss); len(tracks) != 1 || tracks[0].Ranks != 3 {
		t.Errorf("tracks are %v", titles(tracks))
	}
}

func TestResumptionsWithinALogAreAttempts(t *testing.T) {
	samples := append(steps(0, 100, 10, 0, 10), steps(70, 200, 10, 300, 10)...)
	run := Join([]Source{source(0, 0, samples...), source(0, 1, steps(150, 160, 10, 900, 10)...)})
	wantTitles(t, run, train.MetricLoss, "0.0:11×1", "0.1:14×1", "0.2:2×1")
	if run.Step != 160 || run.LostSteps != 50 || run.LostTime != 50*time.Second {
		t.Errorf("at step %g, %g steps lost in %v", run.Step, run.LostSteps, run.LostTime)
	}
	if run.AllLostSteps != 30+50 { // 100 to 70, and 200 to 150
		t.Errorf("%g steps lost in all", run.AllLostSteps)
	}
}

// The mean of an attempt is that of its own values: the line that begins a resumption
// is taken for one of the attempt before until the next one comes.
func TestMeansOfResumptionsAreApart(t *testing.T) {
	samples := append(steps(0, 100, 10, 0, 10), steps(70, 200, 10, 300, 10)...)
	for i := range samples {
		samples[i].Metrics[0].Value = 1 + float64(i/11) // eleven before the resumption
	}
	run := Join([]Source{source(0, 0, samples...)})
	tracks := run.Tracks(train.MetricLoss)
	if len(tracks) != 2 {
		t.Fatalf("%d attempts", len(tracks))
	}
	if mean, values := tracks[0].Mean(); mean != 1 || values != 11 {
		t.Errorf("before it is the mean of %d values %g", values, mean)
	}
	if _, values := tracks[1].Mean(); values != 14 {
		t.Errorf("of the resumption are %d values", values)
	}
}

// A program that counts anew in each epoch, episode or trial loses no steps, and
// how many passes follow is not known.
func TestPassesWithinALogAreNoLostSteps(t *testing.T) {
	pass := func(to, begin int) []train.Sample { return steps(0, to, 10, begin, 10) }
	episodes := source(0, 0, slices.Concat(pass(100, 0), pass(100, 200), pass(40, 400))...)
	if run := Join([]Source{episodes}); run.LostSteps != 0 || run.AllLostSteps != 0 || run.Remaining != 0 {
		t.Errorf("episodes: %g steps lost, %g in all, %v left", run.LostSteps, run.AllLostSteps, run.Remaining)
	}
	bar := source(0, 0, slices.Concat(pass(100, 0), pass(40, 200))...)
	bar.Hints.TotalSteps = 100
	if run := Join([]Source{bar}); run.LostSteps != 0 || run.Remaining != 0 || run.TotalSteps != 100 {
		t.Errorf("a bar that was full: %g steps lost, %v left of %g", run.LostSteps, run.Remaining, run.TotalSteps)
	}
	again := slices.Concat(pass(100, 0), pass(100, 200), pass(40, 400))
	for i := range again {
		again[i].Line = int64(i)
	}
	resumed := source(0, 0, again...)
	for _, line := range []int64{10, 21} {
		resumed.Marks = append(resumed.Marks, train.Mark{Kind: train.MarkResumed, Line: line})
	}
	for name, run := range map[string]*Run{
		"a line says it":    Join([]Source{resumed}),
		"it ended early":    Join([]Source{source(0, 0, slices.Concat(pass(100, 0), pass(40, 200))...)}),
		"another container": Join([]Source{source(0, 0, pass(100, 0)...), source(0, 1, pass(100, 200)...), source(0, 2, pass(40, 400)...)}),
	} {
		if run.LostSteps != 100 {
			t.Errorf("%s: %g steps lost", name, run.LostSteps)
		}
	}
}

func TestRanksOfOneLogAreTracks(t *testing.T) {
	var samples []train.Sample
	for step := range 10 {
		for rank := range 4 {
			s := at(float64(step), step, float64(step))
			if rank == 3 {
				s.Metrics[0].Value++
			}
			s.Rank = rank
			samples = append(samples, s)
		}
	}
	run := Join([]Source{{Rank: 0, RankIndex: 0, Table: tableOf(samples...)}})
	wantTitles(t, run, train.MetricLoss, "0.0:10×3", "3.0:10×1")
}

// torchrun's tag "[default1]:" counts on its node alone: the same number in the logs of two
// pods is two ranks. Numbers of the whole run stay.
func TestRanksOfTheirNodesAloneAreCountedOn(t *testing.T) {
	of := func(pod int, ranks ...int) Source {
		var samples []train.Sample
		for step := range 10 {
			for _, rank := range ranks {
				s := at(float64(step), step, float64(step+10*rank+100*pod))
				s.Rank = rank
				samples = append(samples, s)
			}
		}
		return source(pod, 0, samples...)
	}
	wantTitles(t, Join([]Source{of(0, 0, 1), of(1, 0, 1)}), train.MetricLoss, "0.0:10×1", "1.0:10×1", "2.0:10×1", "3.0:10×1")
	wantTitles(t, Join([]Source{of(0, 0), of(1, 0), of(2, 0)}), train.MetricLoss, "0.0:10×1", "1.0:10×1", "2.0:10×1")
	wantTitles(t, Join([]Source{of(0, 0, 1), of(1, 2, 3)}), train.MetricLoss, "0.0:10×1", "1.0:10×1", "2.0:10×1", "3.0:10×1")
	again := of(0, 0, 1)
	again.Attempt, again.Stream.Restart = 1, 1
	wantTitles(t, Join([]Source{of(0, 0, 1), again}), train.MetricLoss, "0.0:10×1", "0.1:10×1", "1.0:10×1", "1.1:10×1")
}

func TestMarksStandOnce(t *testing.T) {
	mark := func(kind train.MarkKind, second int, step float64) train.Mark {
		return train.Mark{Kind: kind, Time: begin.Add(time.Duration(second) * time.Second), Step: step, HasStep: step >= 0}
	}
	a, b := source(0, 0), source(1, 0)
	a.Marks = []train.Mark{mark(train.MarkCheckpoint, 10, 100), mark(train.MarkCheckpoint, 200, 200), mark(train.MarkResumed, 900, -1)}
	b.Marks = []train.Mark{mark(train.MarkCheckpoint, 11, 100), mark(train.MarkCheckpoint, 202, 201), mark(train.MarkResumed, 905, -1), mark(train.MarkCheckpoint, 1500, 200)}
	run := Join([]Source{a, b})
	var got []string
	for _, m := range run.Marks {
		got = append(got, fmt.Sprintf("%s %.0f %g", m.Kind, m.Time.Sub(begin).Seconds(), m.Step))
	}
	want := []string{"checkpoint 10 100", "checkpoint 200 200", "resumed 900 -1", "checkpoint 1500 200"}
	if !slices.Equal(got, want) {
		t.Errorf("marks are %q, want %q", got, want)
	}
	if again := Rejoin(run, []Source{a, b}); &again.Marks[0] != &run.Marks[0] {
		t.Error("marks that did not change are made anew")
	}
}

func TestOutlook(t *testing.T) {
	s := source(0, 0, steps(0, 400, 10, 0, 20)...)
	s.Hints = train.ProgressHints{TotalSteps: 1000}
	o := Join([]Source{s}).Progress
	if o.Step != 400 || o.TotalSteps != 1000 || o.StepTime != 2*time.Second || o.RunStepTime != 2*time.Second {
		t.Errorf("step %g of %g, %v a step, %v in all", o.Step, o.TotalSteps, o.StepTime, o.RunStepTime)
	}
	if o.Remaining != 20*time.Minute || o.Spread != 0 || o.LossName != "loss" || o.Loss != 10/401. {
		t.Errorf("%v ± %v left, %s %g", o.Remaining, o.Spread, o.LossName, o.Loss)
	}
	if newest := begin.Add(800 * time.Second); !o.Newest.Equal(newest) {
		t.Errorf("newest at %v, want %v", o.Newest, newest)
	}
}

// Stamps of whole seconds show how long some steps took together.
func TestPaceWithCoarseStamps(t *testing.T) {
	var samples []train.Sample
	for second := range 100 {
		samples = append(samples, steps(4*second, 4*second+3, 1, second, 0)...)
	}
	o := Join([]Source{source(0, 0, samples...)}).Progress
	if o.StepTime != 250*time.Millisecond {
		t.Errorf("%v a step", o.StepTime)
	}
}

func TestTheRecentPaceCounts(t *testing.T) {
	samples := append(steps(0, 100, 1, 0, 1), steps(101, 400, 1, 104, 4)...)
	s := source(0, 0, samples...)
	s.Hints = train.ProgressHints{TotalSteps: 500}
	o := Join([]Source{s}).Progress
	if o.StepTime != 4*time.Second || o.Remaining != 400*time.Second {
		t.Errorf("%v a step, %v left", o.StepTime, o.Remaining)
	}
	if o.RunStepTime >= 4*time.Second || o.RunStepTime < 3*time.Second || o.Spread != (400*time.Second-100*o.RunStepTime)/2 {
		t.Errorf("%v a step in all, ± %v", o.RunStepTime, o.Spread)
	}
}

func TestTotals(t *testing.T) {
	f := func(name string, want float64, o train.ProgressHints, samples ...train.Sample) {
		t.Helper()
		s := source(0, 0, samples...)
		s.Hints = o
		if got := Join([]Source{s}).TotalSteps; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %g steps in all, want %g", name, got, want)
		}
	}
	walk := steps(0, 100, 10, 0, 10)
	f("printed", 500, train.ProgressHints{TotalSteps: 500}, walk...)
	f("epochs of steps", 600, train.ProgressHints{StepsPerEpoch: 200, TotalEpochs: 3}, walk...)
	f("time left", 160, train.ProgressHints{Remaining: time.Minute}, walk...)
	f("passed already", math.NaN(), train.ProgressHints{TotalSteps: 50}, walk...)
	f("nobody tells", math.NaN(), train.ProgressHints{}, walk...)
	f("time left without a pace", math.NaN(), train.ProgressHints{Remaining: time.Minute}, untimed(walk)...)
}

func untimed(samples []train.Sample) []train.Sample {
	all := slices.Clone(samples)
	for i := range all {
		all[i].Time = time.Time{}
	}
	return all
}

func TestWithoutTimesNothingIsKnownOfTime(t *testing.T) {
	s := source(0, 0, untimed(steps(0, 100, 1, 0, 1))...)
	s.Hints = train.ProgressHints{TotalSteps: 1000}
	o := Join([]Source{s}).Progress
	if o.StepTime != 0 || o.RunStepTime != 0 || o.Remaining != 0 || !o.Newest.IsZero() || o.Stalled(begin.Add(time.Hour)) != 0 {
		t.Errorf("got %+v", o)
	}
	if o.Step != 100 || o.TotalSteps != 1000 {
		t.Errorf("step %g of %g", o.Step, o.TotalSteps)
	}
}

func TestTheProgramsOwnPaceStandsInForTimes(t *testing.T) {
	samples := untimed(steps(0, 100, 1, 0, 1))
	for i := range samples {
		samples[i].Metrics = append(samples[i].Metrics, train.Metric{Name: train.MetricItsSecond, Value: 4})
	}
	s := source(0, 0, samples...)
	s.Hints = train.ProgressHints{TotalSteps: 500}
	if o := Join([]Source{s}).Progress; o.StepTime != 250*time.Millisecond || o.Remaining != 100*time.Second {
		t.Errorf("%v a step, %v left", o.StepTime, o.Remaining)
	}
}

func TestEpochsAloneMakeAnOutlookToo(t *testing.T) {
	var samples []train.Sample
	for epoch := 1; epoch <= 4; epoch++ {
		s := noStep(at(0, epoch*60, 1))
		s.Epoch, s.HasEpoch = float64(epoch), true
		samples = append(samples, s)
	}
	s := source(0, 0, samples...)
	s.Hints = train.ProgressHints{TotalEpochs: 10}
	o := Join([]Source{s}).Progress
	if o.Epoch != 4 || o.TotalEpochs != 10 || !math.IsNaN(o.Step) || o.StepTime != 0 || o.Remaining != 6*time.Minute {
		t.Errorf("got %+v", o)
	}
}

func TestStalled(t *testing.T) {
	f := func(name string, s Source, waited, want time.Duration) {
		t.Helper()
		run := Join([]Source{s})
		if got := run.Stalled(run.Newest.Add(waited)); got != want {
			t.Errorf("%s: after %v it is stalled for %v, want %v", name, waited, got, want)
		}
	}
	each := source(0, 0, steps(0, 100, 1, 0, 2)...)
	f("ten median steps", each, 19*time.Second, 0)
	f("longer", each, 4*time.Minute, 4*time.Minute)
	f("a clock behind", each, -time.Minute, 0)
	f("one line each 100 steps", source(0, 0, steps(0, 10_000, 100, 0, 200)...), 9*time.Minute, 0)
	pauses := append(steps(0, 50, 1, 0, 2), steps(51, 60, 1, 180, 2)...)
	f("pauses for evaluation are usual", source(0, 0, pauses...), 100*time.Second, 0)
	opened := each
	opened.Status = train.StreamStatus{State: train.StreamLive, Since: Join([]Source{each}).Newest.Add(4 * time.Minute)}
	f("older lines may still be read", opened, 4*time.Minute+time.Second, 0)
	f("all older lines are read", opened, 5*time.Minute, 5*time.Minute)
	ended := each
	ended.Ended = true
	f("the log has ended", ended, time.Hour, 0)
	finished := each
	finished.Marks = []train.Mark{{Kind: train.MarkFinished, Time: begin.Add(time.Hour)}}
	f("the program is done", finished, time.Hour, 0)
	f("two lines", source(0, 0, steps(0, 1, 1, 0, 2)...), time.Hour, 0)
}

func TestTheLossThatStandsForTheRun(t *testing.T) {
	f := func(want string, metrics ...train.Metric) {
		t.Helper()
		var samples []train.Sample
		for i := range 10 {
			s := at(float64(i), i, 0)
			s.Metrics = metrics
			samples = append(samples, s)
		}
		if got := Join([]Source{source(0, 0, samples...)}).LossName; got != want {
			t.Errorf("%v: %q stands for the run, want %q", metrics, got, want)
		}
	}
	m := func(name string, value float64) train.Metric { return train.Metric{Name: name, Value: value} }
	f("loss", m("load_balancing_loss", 1), m("lr", 1), m("loss", 2))
	f("reward", m("loss", 0), m("reward", .5), m("reward_std", .1))
	f("reward", m("loss", 0.0044), m("reward", .5))
	f("reward", m("loss", 0.0044), m("rewards/accuracy/mean", .6), m("reward", .5))
	f("loss", m("loss", 0.5), m("reward", .5))
	f("loss", m("loss", 0.01), m("rewards/chosen", .5))
	f("loss", m("loss", 0), m("kl", .5))
	f("total_loss", m("loss_cls", 1), m("total_loss", 2))
	f("critic/rewards/mean", m("actor/entropy_loss", 1), m("critic/rewards/mean", 2), m("actor/lr", 0))
	f("actor/pg_loss", m("actor/entropy_loss", 1), m("actor/pg_loss", 2))
	f("validation_0-rmse", m("time", 1), m("validation_0-rmse", 2))
	f("eval_loss", m("eval_loss", 1), m("accuracy", 2))
}

// TestWhoseLossItIs checks that the rank of the loss is known where ranks print losses of
// their own, and that it is that of all where they print the same.
func TestWhoseLossItIs(t *testing.T) {
	same, others := steps(0, 40, 1, 0, 1), steps(0, 40, 1, 0, 1)
	for i := range others {
		others[i].Metrics = []train.Metric{{Name: train.MetricLoss, Value: 7 + float64(i%3)}}
	}
	for name, c := range map[string]struct {
		second []train.Sample
		rank   int
		own    bool
	}{
		"the same": {same, 0, false}, "of its own": {others, 0, true}, "none": {nil, 0, false},
		"newer": {append(others[:len(others):len(others)], steps(41, 400, 1, 41, 1)...), 1, true},
	} {
		run := Join([]Source{source(0, 0, same...), source(1, 0, c.second...)})
		if rank, own := run.LossRank(); own != c.own || own && rank != c.rank {
			t.Errorf("%s: rank %d, of its own %v; tracks %v", name, rank, own, titles(run.Tracks(train.MetricLoss)))
		}
	}
}

// The last rank prints the metrics, rank 0 only its speed.
func TestTheRankThatPrintsTheLossLeads(t *testing.T) {
	speed := steps(0, 50, 1, 0, 1)
	for i := range speed {
		speed[i].Metrics = []train.Metric{{Name: train.MetricTokens, Value: 1}}
	}
	quiet := source(1, 0)
	run := Join([]Source{source(0, 0, speed...), quiet, source(7, 0, steps(0, 40, 1, 0, 1)...)})
	if run.LossName != "loss" || run.Step != 40 {
		t.Errorf("%s at step %g", run.LossName, run.Step)
	}
}

func TestARankThatFellSilentDoesNotLead(t *testing.T) {
	run := Join([]Source{source(0, 0, steps(0, 40, 1, 0, 1)...), source(1, 0, steps(0, 400, 1, 0, 1)...)})
	if run.Step != 400 {
		t.Errorf("at step %g", run.Step)
	}
}

func TestSpark(t *testing.T) {
	samples := append(steps(0, 100, 1, 0, 1), steps(60, 199, 1, 300, 1)...)
	samples[len(samples)-1].Metrics[0].Value = math.NaN()
	run := Join([]Source{source(0, 0, samples...)})
	got := run.Spark(train.MetricLoss, 4)
	want := []float64{10 / 50., 10 / 100., 10 / 150., 10 / 199.}
	if len(got) != 4 {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > .01 {
			t.Errorf("got %v, want about %v", got, want)
		}
	}
	if got := run.Spark("no such", 4); got != nil {
		t.Errorf("of nothing: %v", got)
	}
	if got := Join([]Source{source(0, 0, at(5, 0, 2))}).Spark(train.MetricLoss, 8); fmt.Sprint(got) != "[2]" {
		t.Errorf("of one point: %v", got)
	}
	var none *Run
	if none.Spark(train.MetricLoss, 3) != nil || none.Tracks(train.MetricLoss) != nil {
		t.Error("no run has curves")
	}
}

func TestARunOfNothing(t *testing.T) {
	run := Join(nil)
	if !math.IsNaN(run.Step) || !math.IsNaN(run.Loss) || run.LossName != "" || len(run.Metrics) != 0 {
		t.Errorf("got %+v", run.Progress)
	}
	only := source(0, 0)
	only.Hints = train.ProgressHints{TotalSteps: 10, Remaining: time.Hour}
	if run := Join([]Source{only}); run.TotalSteps != 10 || run.Remaining != time.Hour {
		t.Errorf("got %+v", run.Progress)
	}
}

// Ranks that share a log without labels print the same steps at the same times, in whatever
// order their lines come: nothing was resumed. A step that is trained again is later.
func TestUnlabelledRanksAreNoAttempts(t *testing.T) {
	var buffered, pause []train.Sample
	jitter := []train.Sample{at(0, 0, 1)}
	for chunk := 0; chunk < 40; chunk += 10 {
		for range 3 { // each rank's buffer at once
			buffered = append(buffered, steps(chunk, chunk+9, 1, chunk*2, 2)...)
		}
	}
	for step := range 40 {
		jitter = append(jitter, at(float64(step+1), step+1, 1), at(float64(step), step+1, 1), at(float64(step), step+1, 1))
	}
	pause = append(steps(0, 50, 1, 0, 1), at(51, 600, 1))
	for name, c := range map[string]struct {
		samples  []train.Sample
		attempts int
	}{
		"a buffer of each in turn":               {buffered, 1},
		"a step apart":                           {jitter, 1},
		"near miss: resumed at once":             {append(steps(0, 50, 1, 0, 1), steps(48, 60, 1, 52, 1)...), 2},
		"near miss: resumed after a long step":   {append(pause, steps(49, 60, 1, 630, 1)...), 2},
		"near miss: the clock was set back":      {append(steps(0, 5000, 10, 3600, 10), steps(4000, 5000, 10, 3700, 10)...), 2},
		"near miss: all lines have one time":     {append(steps(0, 50, 1, 0, 0), steps(40, 60, 1, 0, 0)...), 2},
		"near miss: a slow step, resumed sooner": {append(steps(0, 50, 10, 0, 600), steps(41, 60, 1, 3090, 60)...), 2},
	} {
		tracks := Join([]Source{source(0, 0, c.samples...)}).Tracks(train.MetricLoss)
		if len(tracks) != c.attempts {
			t.Errorf("%s: %v, want %d", name, titles(tracks), c.attempts)
		}
	}
}
