package views

import (
	"testing"

	"github.com/traintop/traintop/actions"
)

func TestRowsThatNameThePodDoNotSayItAgain(t *testing.T) {
	target := actions.Target{Container: actions.Container{Namespace: "ml", Pod: "bert-0"}}
	for text, want := range map[string]string{
		"running nvidia-smi in pod ml/bert-0, container pytorch: the container has no nvidia-smi": "the container has no nvidia-smi",
		"pod bert-0: it has none of python3, python":                                              "it has none of python3, python",
		"pod bert-1: another one":               "pod bert-1: another one",
		"bert-0 does not resolve: no such name": "bert-0 does not resolve: no such name",
		"it did not end in 20s":                 "it did not end in 20s",
	} {
		if got := WithoutPod(target, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
