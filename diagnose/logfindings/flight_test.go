package logfindings_test

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/flightrecord"
	"github.com/traintop/traintop/train"
)

// Records of four ranks, as sources/flightrecord's tests have them.
func TestFlightRecordsAreCompared(t *testing.T) {
	for _, test := range []struct {
		folder string
		ranks  []int
		want   train.Cause // "" for nothing
		root   int
		title  string
	}{
		{"behind", []int{0, 1, 2, 3}, "one-rank-behind", 2, "Rank 2 is behind: it reached collective 1205, the others 1206 or more"},
		{"json", []int{0, 1, 2, 3}, "one-rank-behind", 2, "Rank 2 is behind"},
		{"timing", []int{0, 1, 2, 3}, "one-rank-behind", 2, "Rank 2 is behind: it reached collective 1205"},
		{"missing", []int{0, 1, 3}, "one-rank-behind", 2, "No flight record of rank 2 was given"},
		{"missing", []int{0}, "nccl-timeout", -1, ""}, // one of four shows nothing about the others
		{"desync", []int{0, 1, 2, 3}, "nccl-desync", 2, "ALLREDUCE of 4194304 elements and BROADCAST of 4194304 elements"},
		{"allwait", []int{0, 1, 2, 3}, "nccl-timeout", -1, "Ranks wait in a collective that has not completed"},
		{"healthy", []int{0, 1, 2, 3}, "", -1, ""},
	} {
		texts := make([]string, 4)
		for _, rank := range test.ranks {
			dump, err := os.ReadFile("../../sources/flightrecord/testdata/" + test.folder + "/nccl_trace_rank_" + strconv.Itoa(rank))
			if err != nil {
				t.Fatal(err)
			}
			text, err := flightrecord.Text(bytes.NewReader(dump))
			if err != nil {
				t.Fatal(err)
			}
			texts[rank] = string(text)
		}
		found := diagnosed(texts...)
		switch {
		case test.want == "" && len(found) > 0:
			t.Errorf("%s: found %+v", test.folder, found)
		case test.want == "":
		case len(found) == 0 || found[0].Cause != test.want || found[0].RootRank != test.root || !strings.Contains(found[0].Title, test.title):
			t.Errorf("%s of ranks %v: got %+v", test.folder, test.ranks, found)
		}
	}
}
