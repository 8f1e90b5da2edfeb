package jobname

import "testing"

func TestWhatNoJobCanBeCalled(t *testing.T) {
	for name, want := range map[string][2]bool{ // on a cluster, and with files
		"bert": {true, true}, "ml/bert": {true, true}, "ml/PyTorchJob/bert": {true, true}, "job.batch/x": {true, true}, "Bert": {true, true},
		"": {}, "/": {}, "ml/": {}, "ml/PyTorchJob/": {},
		"/bert": {false, true}, "ml//bert": {false, true}, "a/b/c/d": {false, true}, "two words": {false, true}, "a\tb": {false, true},
		"Log/runs/a b/rank*.log": {true, true}, "Log/": {},
	} {
		if got := [2]bool{Check([]string{"x", name}, false) == nil, Check([]string{name}, true) == nil}; got != want {
			t.Errorf("%q may be a name: %v, want %v", name, got, want)
		}
	}
}
