package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// rangeAnswer is an answer of /api/v1/query_range, as Prometheus 3.7 writes it.
func rangeAnswer(series ...string) string {
	return `{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(series, ",") + `]}}`
}

func TestPastOfARangeAnswer(t *testing.T) {
	labels := `"gpu":"3","UUID":"GPU-0011aabb","pod":"dcgm-x","namespace":"gpu-operator","exported_pod":"w-0","exported_namespace":"ml"`
	a, err := Read(strings.NewReader(rangeAnswer(
		`{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE",`+labels+`},"values":[[1700000060,"640.5"],[1700000000,"612"],[1700000120,"NaN"],[1700000180,"140737488355329"]]}`,
		`{"metric":{"__name__":"DCGM_FI_DEV_FB_FREE",`+labels+`},"values":[[1700000000,"612"],[1700000060,"640"]]}`,
		`{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL",`+labels+`},"values":[[1700000060,"97"]]}`,
		`{"metric":{"__name__":"DCGM_FI_DEV_GPU_TEMP",`+labels+`},"values":[[1700000000,"4000"],[1700000060,"70"],[1700000120,"71"]]}`,
		`{"metric":{"__name__":"up"},"values":[[1700000000,"1"],[1700000060,"1"]]}`,
	)), Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Past) != 2 {
		t.Fatalf("the past of %d quantities: %+v", len(a.Past), a.Past)
	}
	power, heat := a.Past[0], a.Past[1]
	if power.Quantity != train.GPUPower || len(power.Points) != 2 || power.Points[0].Value != 612 ||
		!power.Points[1].At.Equal(time.Unix(1700000060, 0)) || power.GPU.Pod != "w-0" || power.GPU.Index != "3" {
		t.Errorf("power: %+v", power)
	}
	if heat.Quantity != train.GPUTemperature || len(heat.Points) != 2 || heat.Points[0].Value != 70 {
		t.Errorf("temperature: %+v", heat)
	}
}

// DCGM 4.6 renames the utilization to a share of 1; earlier samples show which of
// the two it is.
func TestPastOfSharesOfOne(t *testing.T) {
	f := func(values string, want float64) {
		t.Helper()
		a, err := Read(strings.NewReader(rangeAnswer(
			`{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL_RATIO","gpu":"0","UUID":"GPU-0011aabb"},"values":[`+values+`]}`)), Origin{})
		if err != nil || len(a.Past) != 1 {
			t.Fatalf("%v: %+v", err, a.Past)
		}
		if got := a.Past[0].Points[0].Value; got != want {
			t.Errorf("%s: the first point is %v, want %v", values, got, want)
		}
	}
	f(`[1,"0.5"],[2,"0.25"]`, 50)
	f(`[1,"0.5"],[2,"25"],[3,"1"]`, 0.5)
}

// Points whose times cannot be are counted and reported, from a file and live.
func TestPointsOfAnotherAgeAreSaid(t *testing.T) {
	answer := rangeAnswer(`{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","gpu":"3","UUID":"GPU-0011aabb","Hostname":"n1"},"values":[[1700000000,"90"],[1700000060,"91"],[1700000060000,"92"],[-1e300,"93"],[1e999,"94"]]}`)
	const says = "2 points have times more than 680 years from 1970 and are left out"
	a, err := Read(strings.NewReader(answer), Origin{})
	if err != nil || len(a.Problems) != 1 || !strings.Contains(a.Problems[0].String(), says) || len(a.Past) != 1 || len(a.Past[0].Points) != 2 {
		t.Errorf("%v: %v, %+v", err, a.Problems, a.Past)
	}
	p := NewPrometheus("")
	p.SetNames(fleetNames)
	past, live, err := p.ReadPast(p.Pasts()[0], strings.NewReader(answer), 0)
	if err != nil || len(live.Warnings) != 1 || !strings.Contains(live.Warnings[0], says) || len(past) != 1 || len(past[0].Points) != 2 {
		t.Errorf("%v: %q, %+v", err, live.Warnings, past)
	}
}
