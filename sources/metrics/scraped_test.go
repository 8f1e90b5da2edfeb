package metrics

import (
	"fmt"
	"strings"
	"testing"
)

// TestGPUsOfSeveralTargetsAreDistinct checks that GPUs of which a page of several exporters
// (federated by Prometheus) names neither node nor host are those of the address that was
// scraped, and that one exporter's are not.
func TestGPUsOfSeveralTargetsAreDistinct(t *testing.T) {
	page := func(targets ...string) string {
		var text strings.Builder
		for _, target := range targets {
			for gpu := range 2 {
				fmt.Fprintf(&text, "DCGM_FI_DEV_GPU_UTIL{gpu=\"%d\",instance=\"%s\"} 10\nDCGM_FI_DEV_GPU_TEMP{gpu=\"%d\",instance=\"%s\"} 50\n", gpu, target, gpu, target)
			}
		}
		return text.String()
	}
	for text, want := range map[string]string{
		page("10.0.0.1:9400", "10.0.0.2:9400", "gpu-3.example:9400"): "10.0.0.1/0 10.0.0.1/1 10.0.0.2/0 10.0.0.2/1 gpu-3.example/0 gpu-3.example/1",
		page("10.0.0.1:9400", "10.0.0.1:9401"):                       "10.0.0.1:9400/0 10.0.0.1:9400/1 10.0.0.1:9401/0 10.0.0.1:9401/1",
		page("10.0.0.1:9400"):                                        "/0 /1",
		page("10.0.0.1:9400") + `DCGM_FI_DEV_GPU_UTIL{gpu="0",Hostname="n1",instance="10.0.0.2:9400"} 1` + "\n": "/0 /1 n1/0",
	} {
		var got []string
		answer, err := Read(strings.NewReader(text), Origin{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range answer.Readings {
			got = append(got, r.GPU.Node+r.GPU.Host+"/"+r.GPU.Index)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\nis %q, want %q", text, got, want)
		}
	}
}
