package metrics

import (
	"strings"
	"testing"
)

// A GPU whose numbers are ERR! does not answer; one such sensor is no trouble.
func TestTablesOfGPUsThatDoNotAnswer(t *testing.T) {
	const head = "| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |\n|=====|\n|   1  NVIDIA A100-SXM4-80GB          On  | 00000000:0F:00.0 Off |                    0 |\n"
	for row, want := range map[string]int{
		"| ERR!  ERR! ERR!             ERR! / ERR! |      3MiB / 81920MiB |      ERR!      Default |\n": 1,
		"| ERR!   34C    P0    ERR! / 400W |      3MiB / 81920MiB |      0%      Default |\n":           0,
		"| N/A   34C    P0    60W / 400W |      3MiB / 81920MiB |      0%      Default |\n":             0,
	} {
		a, err := Read(strings.NewReader(head+row+"+-----+\n"), Origin{})
		if err != nil || len(a.Problems) != want {
			t.Errorf("%s: %v, %+v, want %d problems", row, err, a.Problems, want)
		}
	}
}
