package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smiRows are rows of nvidia-smi's table without its head, as people paste them.
const smiRows = "|   0  Tesla V100-SXM2...  On   | 00000000:00:08.0 Off |                    0 |\n" +
	"| N/A   54C    P0   246W / 300W |  15514MiB / 16130MiB |    100%      Default |\n" +
	"+-------------------------------+----------------------+----------------------+\n"

// TestDiagnoseOfAPageAlone: a page of an exporter contains no job. The answer
// reports its GPUs, and where the page is cut or damaged.
func TestDiagnoseOfAPageAlone(t *testing.T) {
	page := func(xid string) string {
		labels := `{gpu="3",UUID="GPU-11111111-0000-4000-8000-000000000003",modelName="NVIDIA H100 80GB HBM3",Hostname="node-1"} `
		return "# TYPE DCGM_FI_DEV_GPU_TEMP gauge\nDCGM_FI_DEV_GPU_TEMP" + labels + "54\n" +
			"# TYPE DCGM_FI_DEV_XID_ERRORS gauge\nDCGM_FI_DEV_XID_ERRORS" + labels + xid + "\n"
	}
	for _, c := range []struct {
		name, text string
		code       int
		says       []string
	}{
		{"well", page("0"), 0, []string{"nothing to look at", "The state of 1 GPU was read", "traintop gpus"}},
		{"an Xid", page("79"), exitUnknown, []string{"Not enough was read", "Xid 79", "fell off the bus", "GPU 3 of node-1", "traintop gpus"}},
		{"cut", strings.TrimSuffix(page("0"), "3\",Hostname=\"node-1\"} 0\n"), exitUnknown, []string{"Not enough was read", "1 GPU", "it ends inside a line"}},
		{"damaged", "@@@ %%% 12\n" + page("0") + "xx{{{ 99\n", exitUnknown, []string{"Not enough was read", "1 GPU", "@@@", "xx{{{"}},
		{"a table beside an error", "RuntimeError: CUDA error: out of memory\n" + smiRows, 0, []string{"cuda-out-of-memory"}},
		{"a table beside other words", "The GPU is busy\n" + smiRows, 0, []string{"nothing to look at", "The state of 1 GPU was read"}},
		{"cut, an Xid", page("79") + "DCGM_FI_DEV_GPU_TEMP{gp", exitUnknown, []string{"Not enough was read", "Xid 79", "it ends inside a line"}},
	} {
		file := filepath.Join(t.TempDir(), "page.prom")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, messages, code := command(t, "", "diagnose", "--from", file)
		if code != c.code {
			t.Errorf("%s: exit %d, want %d", c.name, code, c.code)
		}
		for _, want := range c.says {
			if !strings.Contains(out+messages, want) {
				t.Errorf("%s: no %q in\n%s%s", c.name, want, out, messages)
			}
		}
	}
}
