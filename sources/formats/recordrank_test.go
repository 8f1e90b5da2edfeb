package formats

import "testing"

func TestRanksOfRecords(t *testing.T) {
	for line, want := range map[string]int{
		`{"rank": 5, "step": 0, "loss": 2.5}`:                5,
		`{"rank":"5","message":"step 0 loss 2.5"}`:           5,
		`{"lora_rank": 16, "global_rank": 12, "step": 1}`:    12,
		`{"time": "x", "extra": {"rank": 3}, "message": ""}`: 3,
		`{"lora_rank": 16, "step": 1}`:                       -1,
		`{"local_rank": 1, "step": 1}`:                       -1,
		`{"rank": 0.5, "step": 1}`:                           -1,
		`{"rank": null, "step": 1}`:                          -1,
		`rank: {"rank": 5}`:                                  -1,
		`{"rank"`:                                            -1,
	} {
		if got := recordRank([]byte(line)); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}
