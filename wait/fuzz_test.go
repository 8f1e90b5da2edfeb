package wait

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
)

// FuzzConditions: what a condition is called reads as the same condition, and an
// error is not empty.
func FuzzConditions(f *testing.F) {
	for _, text := range []string{"done", "Running,failed", "step=100", "loss<=2.5", "eval/acc > 0.9", "finding=NaN-Loss", "step<3", "x=1e400", "epoch >= 2 , trouble", "=", "loss<nan"} {
		f.Add(text)
	}
	causes := []train.Cause{"nan-loss", "nccl-timeout"}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseConditions([]string{text}, causes)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a word")
			}
			return
		}
		for _, c := range all {
			again, err := ParseConditions([]string{c.Text}, causes)
			if err != nil || len(again) != 1 {
				t.Errorf("%q of %q is read as %v, %v", c.Text, text, again, err)
			} else if diff := cmp.Diff(c, again[0], cmp.AllowUnexported(Condition{})); diff != "" {
				t.Errorf("%q of %q: %s", c.Text, text, diff)
			}
		}
	})
}
