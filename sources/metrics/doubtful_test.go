package metrics

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// Numbers that may be cut or are impossible are reported, never rounded or ignored.
func TestDoubtfulNumbersAreNamed(t *testing.T) {
	const page = "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-1111\"} 691.2\nDCGM_FI_DEV_XID_ERRORS{gpu=\"0\",UUID=\"GPU-1111\"} "
	const vector = `{"status":"success",%s"data":{"resultType":"vector","result":[{"metric":{"__name__":"DCGM_FI_DEV_XID_ERRORS","gpu":"0","UUID":"GPU-1111"},"value":[1763600000,"79"]}]}}`
	for name, c := range map[string]struct {
		text, says string
		xid        float64
	}{
		"whole":              {page + "79\n", "", 79},
		"ends inside a line": {page + "79", "line 2: it ends inside a line", 79},
		"an Xid and a half":  {page + "79.5\n", "DCGM_FI_DEV_XID_ERRORS of GPU 0 is 79.5, and an Xid is a whole number", 0},
		"an endless Xid":     {page + "+Inf\n", "DCGM_FI_DEV_XID_ERRORS of GPU 0 is +Inf, which no GPU can have", 0},
		"beyond any number":  {page + "1e300\n", "DCGM_FI_DEV_XID_ERRORS of GPU 0 is 1e+300, which no GPU can have", 0},
		"endless energy":     {page + "79\nDCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"0\",UUID=\"GPU-1111\"} +Inf\n", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION of GPU 0 is +Inf", 79},
		"endless memory":     {page + "79\nDCGM_FI_DEV_FB_FREE{gpu=\"0\",UUID=\"GPU-1111\"} +Inf\n", "DCGM_FI_DEV_FB_FREE of GPU 0 is +Inf", 79},
		"no number":          {page + "79\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1111\"} NaN\n", "", 79},
		"blank":              {page + "79\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1111\"} 9.223372036854775794e18\n", "", 79},
		"an answer":          {strings.Replace(vector, "%s", "", 1), "", 79},
		"of a part":          {strings.Replace(vector, "%s", `"isPartial":true,`, 1), "a storage node of VictoriaMetrics did not answer", 79},
		"of all parts":       {strings.Replace(vector, "%s", `"isPartial":false,`, 1), "", 79},
		"with a warning":     {strings.Replace(vector, "%s", `"warnings":["a store is away"],`, 1), "a store is away", 79},
		"with a remark":      {strings.Replace(vector, "%s", `"infos":["PromQL info: no counter"],`, 1), "PromQL info: no counter", 79},
	} {
		a, err := Read(strings.NewReader(c.text), Origin{})
		if err != nil || len(a.Readings) != 1 {
			t.Fatalf("%s: %v, %+v", name, err, a)
		}
		said := ""
		for _, p := range a.Problems {
			said += p.String()
		}
		if xid, _ := a.Readings[0].Values.Get(train.GPUXid); xid != c.xid || !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("%s: Xid %v, want %v; says %q", name, xid, c.xid, said)
		}
	}
	// The same when it is read from a server.
	answer, err := readAnswer(strings.NewReader(strings.Replace(vector, "%s", `"warnings":["one"],"infos":["two"],"isPartial":true,`, 1)), promVector, 9, func([]byte) bool { return true })
	if err != nil || strings.Join(answer.Warnings, " ") != "one two "+partialAnswer {
		t.Errorf("%v: %q", err, answer.Warnings)
	}
}
