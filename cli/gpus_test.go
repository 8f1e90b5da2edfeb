package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/diagnose"
)

// A page of dcgm-exporter 3.3, trimmed: one GPU of a pod, one free, one in MIG.
const exporterPage = `# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).
# TYPE DCGM_FI_DEV_GPU_UTIL gauge
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-7a2e92f2-be71-d37e-a744-541600ffc722",modelName="Tesla T4",Hostname="n0",container="pytorch",namespace="ml",pod="w-0"} 97
DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-5f587dd4-6505-0873-c6db-8324dbfe5ba9",modelName="Tesla T4",Hostname="n0",container="",namespace="",pod=""} 0
DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-7a2e92f2-be71-d37e-a744-541600ffc722",modelName="Tesla T4",Hostname="n0",container="pytorch",namespace="ml",pod="w-0"} 1024
DCGM_FI_DEV_FB_FREE{gpu="0",UUID="GPU-7a2e92f2-be71-d37e-a744-541600ffc722",modelName="Tesla T4",Hostname="n0",container="pytorch",namespace="ml",pod="w-0"} 14336
DCGM_FI_DEV_CLOCKS_EVENT_REASONS{gpu="0",UUID="GPU-7a2e92f2-be71-d37e-a744-541600ffc722",modelName="Tesla T4",Hostname="n0",container="pytorch",namespace="ml",pod="w-0"} 68
DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="2",UUID="GPU-bbbbbbbb-0000",GPU_I_PROFILE="1g.5gb",GPU_I_ID="9",Hostname="n0"} 0.5
`

func gpusAsJSON(t *testing.T, wantCode int, args ...string) (gpus []any, problems []any) {
	t.Helper()
	out, messages, code := command(t, "", append([]string{"gpus", "-o", "json"}, args...)...)
	if code != wantCode {
		t.Fatalf("exit %d: %s", code, messages)
	}
	var got struct{ GPUs, Problems []any }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, out)
	}
	return got.GPUs, got.Problems
}

func page(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestGPUsAsJSON(t *testing.T) {
	got, problems := gpusAsJSON(t, exitDone, "--from", page(t, "n0.prom", exporterPage))
	want := []any{
		map[string]any{
			"node": "n0", "index": "0", "uuid": "GPU-7a2e92f2-be71-d37e-a744-541600ffc722", "model": "Tesla T4",
			"namespace": "ml", "pod": "w-0", "container": "pytorch", "utilization": 97.0, "memoryUsedMiB": 1024.0, "memoryTotalMiB": 15360.0,
			"throttle": []any{"power_cap", "hw_thermal"}, "sources": []any{"DCGM exporter"},
		},
		map[string]any{
			"node": "n0", "index": "1", "uuid": "GPU-5f587dd4-6505-0873-c6db-8324dbfe5ba9", "model": "Tesla T4",
			"utilization": 0.0, "sources": []any{"DCGM exporter"},
		},
		map[string]any{
			"node": "n0", "index": "2", "uuid": "GPU-bbbbbbbb-0000", "graphicsActive": 0.5,
			"mig": map[string]any{"profile": "1g.5gb", "instance": "9"}, "sources": []any{"DCGM exporter"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
		t.Errorf("problems %v; differs (-want +got):\n%s", problems, diff)
	}
}

// -l leaves the GPUs that jobs with these labels hold.
func TestGPUsOfJobsWithLabels(t *testing.T) {
	all, _ := gpusAsJSON(t, exitDone, "--from", "testdata/pending.yaml")
	held := 0
	for _, one := range all {
		if one.(map[string]any)["job"] != nil {
			held++
		}
	}
	if got, _ := gpusAsJSON(t, exitDone, "-l", "!team", "--from", "testdata/pending.yaml"); len(got) != held || held == 0 {
		t.Errorf("%d GPUs, want the %d that a job holds", len(got), held)
	}
	if got, _ := gpusAsJSON(t, exitDone, "-l", "team=nlp", "--from", "testdata/pending.yaml"); len(got) > 0 {
		t.Errorf("GPUs of jobs without the label: %v", got)
	}
	out, messages, code := command(t, "", "gpus", "-l", "team=nlp", "--from", "testdata/pending.yaml")
	if code != exitDone || out != "" || !strings.Contains(messages, "with labels team=nlp") {
		t.Errorf("exit %d: %s%s", code, out, messages)
	}
}

func TestGPUTable(t *testing.T) {
	out, messages, code := command(t, "", "gpus", "--from", page(t, "n0.prom", exporterPage))
	if code != exitDone || messages != "" {
		t.Fatalf("exit %d: %s", code, messages)
	}
	for _, want := range []string{"97%", "1/15 GiB", "hw_thermal", "ml/w-0", "2 MIG 1g.5gb #9"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// The holders of GPUs are known from objects alone, and hostile text stays
// harmless.
func TestGPUsOfObjectsAlone(t *testing.T) {
	got, _ := gpusAsJSON(t, exitDone, "--from", "testdata/pending.yaml")
	for _, one := range got {
		gpu := one.(map[string]any)
		if gpu["count"] == nil || gpu["pod"] == nil || gpu["utilization"] != nil {
			t.Errorf("%v", gpu)
		}
	}
	if len(got) == 0 {
		t.Error("no GPUs")
	}
	out, _, _ := command(t, "", "gpus", "--from", page(t, "x.prom", "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",modelName=\"\x1b]0;title\x07Tesla\"} 40\n"))
	if strings.ContainsAny(out, "\x1b\x07") || !strings.Contains(out, "Tesla") {
		t.Errorf("%q", out)
	}
}

func TestGPUsWithoutAnAnswer(t *testing.T) {
	for name, text := range map[string]string{
		"empty.prom": "", "other.prom": "# TYPE up gauge\nup{job=\"x\"} 1\n", "log": "step 1\n",
		"loki.json": `{"status":"success","data":{"resultType":"streams","result":[]}}`,
	} {
		out, messages, code := command(t, "", "gpus", "--from", page(t, name, text))
		if code != exitDone || out != "" || !strings.Contains(messages, "No GPUs in") {
			t.Errorf("%s: exit %d, %q, %q", name, code, out, messages)
		}
	}
	text := page(t, "text", "hello there\n")
	const said = `it begins with "hello there", which is neither a table nor a series of GPUs that is known`
	if _, messages, _ := command(t, "", "gpus", "--from", text); !strings.Contains(messages, said) {
		t.Errorf("a text that is not known is not told: %q", messages)
	}
	if out, _, code := command(t, "", "gpus", "-o", "json", "--from", text); code != exitDone || !strings.Contains(out, "nothing about GPUs was read") {
		t.Errorf("a text that is not known is not told: exit %d, %q", code, out)
	}
	if _, messages, _ := command(t, "", "gpus", "--from", text, "--from", page(t, "n0.prom", exporterPage)); !strings.Contains(messages, said) {
		t.Errorf("a text beside a page is not told: %q", messages)
	}
	if _, messages, code := command(t, "", "gpus", "--from", filepath.Join(t.TempDir(), "none")); code != exitFailed || !strings.Contains(messages, "no such file") {
		t.Errorf("exit %d: %s", code, messages)
	}
	if _, _, code := command(t, "", "gpus", "-o", "yaml"); code != exitUsage {
		t.Errorf("exit %d for a format that does not exist", code)
	}
}

// A page of which lines are bad and no GPU was read does not report that there are
// none; one without a bad line does, and so does one beside which GPUs were read.
func TestGPUsOfAPageWithoutOneGoodSample(t *testing.T) {
	const heading = "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n"
	bad := page(t, "bad.prom", heading+"DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\"} abc\nDCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-1\" 12\n")
	out, messages, code := command(t, "", "gpus", "-o", "json", "--from", bad)
	if code != exitUnknown || !strings.Contains(out, `"verdict": "`+string(diagnose.NotEnoughRead)+`"`) || !strings.Contains(out, `bad.prom:2: no sample of the Prometheus text format`) || !strings.Contains(out, "not enough was read to say whether there are GPUs") {
		t.Errorf("as JSON: exit %d, %s, %s", code, out, messages)
	}
	out, messages, code = command(t, "", "gpus", "--from", bad)
	if code != exitUnknown || !strings.Contains(out, "Not enough was read to say whether there are GPUs") || !strings.Contains(out, "bad.prom") {
		t.Errorf("as text: exit %d, %q, %q", code, out, messages)
	}
	if _, messages, code := command(t, "", "gpus", "--from", page(t, "empty.prom", heading)); code != exitDone {
		t.Errorf("an honest empty page: exit %d, %q", code, messages)
	}
	if _, problems := gpusAsJSON(t, exitDone, "--from", bad, "--from", page(t, "n0.prom", exporterPage)); len(problems) == 0 {
		t.Error("nothing is told of a bad page beside a good one")
	}
}

// The valid part is printed, and the invalid part is reported.
func TestGPUsOfABadFile(t *testing.T) {
	got, problems := gpusAsJSON(t, exitDone, "--from", page(t, "cut.prom", exporterPage+"DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UU"))
	if len(got) != 3 || len(problems) != 1 {
		t.Errorf("%d GPUs, problems %v", len(got), problems)
	}
}

// TestHoldersThatNobodyNames holds that GPUs whose pods nothing names may be those of
// the namespace that is asked for, unless its pods were read.
func TestHoldersThatNobodyNames(t *testing.T) {
	gpu := page(t, "n0.prom", `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-7a2e92f2-be71-d37e-a744-541600ffc722",modelName="Tesla T4",Hostname="n0"} 97`+"\n")
	pod := page(t, "pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml}\nspec: {containers: [{name: a, image: a}]}\n")
	for _, f := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-n", "ml", "--from", gpu}, exitUnknown, "1 GPU was read of which nothing says which pod holds it, and no pod of namespace ml was read"},
		{[]string{"-n", "ml", "--from", gpu, "--from", pod}, exitDone, "No GPUs in namespace ml"},
		{[]string{"-n", "other", "--from", gpu, "--from", pod}, exitUnknown, "no pod of namespace other was read"},
		{[]string{"-n", "other", "--from", page(t, "n1.prom", exporterPage[:strings.Index(exporterPage, "DCGM_FI_DEV_GPU_UTIL{gpu=\"1")])}, exitDone, "No GPUs in namespace other"},
		{[]string{"-l", "app=x", "--from", gpu}, exitUnknown, "1 GPU was read of which nothing says which pod holds it, and no pod was read, so that the job with the labels app=x is not known"},
		{[]string{"-l", "!app", "--from", gpu}, exitUnknown, "which pod holds it"},
		{[]string{"-l", "app=x", "--from", page(t, "n2.prom", exporterPage)}, exitUnknown, "3 GPUs were read of which nothing says which pod holds them"},
		{[]string{"-n", "other", "-l", "app=x", "--from", gpu, "--from", pod}, exitUnknown, "no pod of namespace other was read, so that"},
		{[]string{"-l", "app=x", "--from", gpu, "--from", pod}, exitDone, "No GPUs in "},
	} {
		out, messages, code := command(t, "", append([]string{"gpus"}, f.args...)...)
		if code != f.code || !strings.Contains(out+messages, f.want) {
			t.Errorf("%v: exit %d\n%s%s", f.args, code, out, messages)
		}
	}
}

// TestGPUsWithTheSameUUIDOnTwoNodes: cloned machines and simulated GPUs repeat UUIDs.
func TestGPUsWithTheSameUUIDOnTwoNodes(t *testing.T) {
	got, problems := gpusAsJSON(t, exitDone, "--from", page(t, "n0.prom", exporterPage),
		"--from", page(t, "n1.prom", strings.ReplaceAll(exporterPage, `Hostname="n0"`, `Hostname="n1"`)))
	text, _ := json.Marshal(problems)
	const shared = "3 UUIDs of GPUs are reported by several nodes at the same time (n0, n1)"
	if len(got) != 6 || !strings.Contains(string(text), shared) {
		t.Errorf("%d GPUs, want 6, and a problem that names both nodes: %s", len(got), text)
	}
	pages := []string{"--from", page(t, "n0.prom", exporterPage), "--from", page(t, "n1.prom", strings.ReplaceAll(exporterPage, `Hostname="n0"`, `Hostname="n1"`))}
	for _, args := range [][]string{{"gpus"}, {"jobs"}, {"jobs", "-o", "json"}, {"diagnose"}, {"diagnose", "-o", "json"}} {
		if out, messages, _ := command(t, "", append(args, pages...)...); strings.Count(out+messages, shared) != 1 {
			t.Errorf("%v does not name them once:\n%s%s", args, out, messages)
		}
	}
}
