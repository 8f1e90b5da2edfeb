package diagnose

import (
	"reflect"
	"testing"

	"github.com/traintop/traintop/train"
)

func TestWhatTheSameWouldLetReadIsOneGroup(t *testing.T) {
	got := BySameHelp([]Missing{
		{Why: "the logs of ranks 0-1 are not given", Help: "kubectl logs"},
		{Why: "no GPU is measured", Help: "an exporter"},
		{Why: "the log of rank 2 is not given", Help: "kubectl logs"},
	})
	if len(got) != 2 || len(got[0]) != 2 || got[0][1].Why != "the log of rank 2 is not given" || got[1][0].Help != "an exporter" {
		t.Errorf("got %+v", got)
	}
}

func TestWhatCannotBeSeenForOneReasonIsOneGroup(t *testing.T) {
	unknown := func(cause train.Cause, why string) train.Check {
		return train.Check{Cause: cause, Result: train.CheckUnknown, Why: why}
	}
	got := Uncheckeds([]train.Check{
		unknown("a", "no log was read"),
		unknown("b", "configmaps cannot be seen: the right is missing"),
		unknown("c", "secrets cannot be seen: the right is missing"),
		unknown("d", "secrets cannot be seen: the right is missing"),
		unknown("e", "nodes cannot be seen: no answer"),
	})
	want := []Unchecked{
		{"configmaps, secrets cannot be seen: the right is missing", []train.Cause{"b", "c", "d"}},
		{"no log was read", []train.Cause{"a"}},
		{"nodes cannot be seen: no answer", []train.Cause{"e"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
