package train

import "testing"

func TestRanksOfRecords(t *testing.T) {
	for line, want := range map[string]int{
		`{"rank": 5, "step": 0, "loss": 2.5}`:                          5,
		`{"rank":"5","message":"step 0 loss 2.5"}`:                     5,
		`{"time": "a \" {\"rank\": 1}", "rank": 7}`:                    7,
		`{"lora_rank": 16, "global_rank": 12, "step": 1}`:              12,
		`{"time": "x", "extra": {"rank": 3}, "message": ""}`:           3,
		`{"msg": "rank", "level": "info", "rank" : 0}`:                 0,
		`{"lora_rank": 16, "step": 1}`:                                 -1,
		`{"local_rank": 1, "step": 1}`:                                 -1,
		`{"rank": 0.5, "step": 1}`:                                     -1,
		`{"rank": null, "step": 1}`:                                    -1,
		`{"rank": 123456, "step": 1}`:                                  -1,
		`{"step": 3, "loss": 2.5, "mrr": 0.3, "rank": 97}`:             -1, // of an answer
		`{"step": 3, "lora": {"rank": 8, "alpha": 16}, "message": ""}`: -1,
		`{"step": 3, "lora": {"extra": {"rank": 8}}}`:                  -1,
		`rank: {"rank": 5}`:                                            -1,
		`{"rank"`:                                                      -1,
		`{"rank":`:                                                     -1,
		`{"rank": "`:                                                   -1,
		`}}{{"rank": 1`:                                                -1,
	} {
		if got := RecordRank([]byte(line)); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}
