package views_test

import (
	"testing"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// A rank without a pod is missing only while its job waits for the pod.
func TestRanksWithoutPodAreNotAlwaysMissing(t *testing.T) {
	theme, err := themes.Named(themes.Plain, themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		job       train.Job
		word, why string
	}{
		{train.Job{Phase: train.Pending}, "missing", "no pod yet"},
		{train.Job{Phase: train.Running}, "missing", "no pod yet"},
		{train.Job{Phase: train.Suspended}, "no pod", "no pod yet"},
		{train.Job{Phase: train.Queued, Unread: true}, "no pod", "no pod yet"},
		{train.Job{Phase: train.Pending, Unread: true}, "not read", "its pod was not read"},
		{train.Job{Phase: train.Running, ReadyStated: true}, "not read", "its pod was not read"},
		{train.Job{Phase: train.Succeeded}, "no pod", "its pod is gone, or was not read"},
		{train.Job{Phase: train.Failed}, "no pod", "its pod is gone, or was not read"},
	} {
		word := views.RankState(theme, &c.job, &train.Rank{State: train.RankMissing}).Word
		if why := views.NoPodYet(&c.job); word != c.word || why != c.why {
			t.Errorf("%s: %q, %q; want %q, %q", c.job.Phase, word, why, c.word, c.why)
		}
		if other := views.RankState(theme, &c.job, &train.Rank{State: train.RankRunning}).Word; other != "running" {
			t.Errorf("%s: a running rank is %q", c.job.Phase, other)
		}
	}
}
