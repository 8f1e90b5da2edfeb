package metrics

import (
	"os"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

const (
	loadOfTwo = `# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk
# Idx      W      C      C      %      %      %      %      %      %    MHz    MHz
    0     71     66      -     99     40      0      0      0      0   6250   2040
    1     13     38      -      0      0      0      0      0      0    405    210
`
	namesOfTwo = `index, name, memory.used [MiB]
0, NVIDIA L4, 1801 MiB
1, NVIDIA L4, 3 MiB
`
)

func fenced(language, text string) string { return "```" + language + "\n" + text + "```\n" }

// The output of tools is read out of the parts of a note; parts about the same GPU
// complete each other.
func TestInLogReadsNotes(t *testing.T) {
	indented := strings.ReplaceAll(loadOfTwo, "\n", "\n    ")
	for name, text := range map[string]string{
		"a block after a sentence":   "The loss hung at step 40.\n\n" + fenced("", namesOfTwo) + fenced("text", loadOfTwo) + "That is all.\n",
		"an indented block":          "- recorded in the log:\n    ```yaml\n    " + indented + "```\n" + fenced("", namesOfTwo),
		"below headings":             "# Snapshot of 11:25\n\n## GPU\n" + namesOfTwo + "\n## Load\n" + loadOfTwo + "\n## Processes\n4711 python train.py\n",
		"a block that is not closed": "What it says:\n" + fenced("", namesOfTwo) + "```\n" + loadOfTwo,
	} {
		t.Run(name, func(t *testing.T) {
			a, found := InLog([]byte(text))
			if !found || len(a.Readings) != 2 {
				t.Fatalf("%v, %d GPUs, want 2: %+v", found, len(a.Readings), a.Readings)
			}
			use, _ := a.Readings[0].Values.Get(train.GPUUtilization)
			used, _ := a.Readings[0].Values.Get(train.GPUMemoryUsed)
			if model := a.Readings[0].GPU.Model; model != "NVIDIA L4" || use != 99 || used != 1801 {
				t.Errorf("%q, use %v, memory %v", model, use, used)
			}
		})
	}
}

// Logs and notes without tools of GPUs have none, whatever looks similar in them.
func TestInLogIsQuiet(t *testing.T) {
	for name, text := range map[string]string{
		"a log":                      "step 1 loss 2.5\nstep 2 loss 2.4\n",
		"a log with comments":        "# config\nlr: 0.1\n# epoch, loss, time\n1, 2.5, 10\n2, 2.4, 11\n",
		"a block of a program":       "Run it:\n" + fenced("bash", "python train.py --gpus 8\n") + fenced("", "epoch, loss\n1, 2.5\n"),
		"a message of a tool":        "It says\n" + fenced("", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"),
		"a page of another exporter": "It says\n" + fenced("", "# TYPE go_threads gauge\ngo_threads 12\n"),
		"nothing":                    "",
	} {
		if a, found := InLog([]byte(text)); found || len(a.Readings) > 0 {
			t.Errorf("%s: %d GPUs of %s", name, len(a.Readings), a.Format)
		}
	}
}

// Two GPUs of which the parts of a note give different names stay two.
func TestInLogKeepsContradictions(t *testing.T) {
	other := strings.ReplaceAll(namesOfTwo, "L4", "L40S")
	a, _ := InLog([]byte("before\n" + fenced("", namesOfTwo) + "after\n" + fenced("", other)))
	if len(a.Readings) != 4 {
		t.Errorf("%d GPUs, want 4: %+v", len(a.Readings), a.Readings)
	}
}

// A note in which several tools are quoted is read part by part, also where its first
// lines look like one of them.
func TestReadNoteOfSeveralTools(t *testing.T) {
	a, err := Read(strings.NewReader("## load\n\n"+fenced("", loadOfTwo)+"## names\n"+fenced("", namesOfTwo)), Origin{})
	if err != nil || len(a.Readings) != 2 || a.Readings[1].GPU.Model != "NVIDIA L4" {
		t.Errorf("%v, %s: %+v", err, a.Format, a.Readings)
	}
}

// The command with its list of fields, which a person typed, is no row.
func TestReadBelowTypedFields(t *testing.T) {
	a, err := Read(strings.NewReader("user@host:~$ nvidia-smi --query-gpu=index,name,memory.used --format=csv\n"+namesOfTwo), Origin{})
	if err != nil || len(a.Readings) != 2 || len(a.Problems) > 0 {
		t.Errorf("%v, %s: %+v %v", err, a.Format, a.Readings, a.Problems)
	}
}

// The output of a tool is found below a few lines of other text, not in the middle of a
// log.
func TestInLogBelowFirstLines(t *testing.T) {
	for _, above := range []string{"nvidia-smi --query-gpu=index,name,memory.used --format=csv\n", "Every 2.0s: nvidia-smi    host: Mon Aug  3 10:00:00 2026\n\n", "Hello,\n\nthis is what I see:\n"} {
		if a, found := InLog([]byte(above + namesOfTwo + "\nWhat can I do?\n")); !found || len(a.Readings) != 2 {
			t.Errorf("below %q: %d GPUs", above, len(a.Readings))
		}
	}
	if a, found := InLog([]byte(strings.Repeat("step 1 loss 2.5\n", 5) + namesOfTwo)); found {
		t.Errorf("in the middle of a log: %+v", a.Readings)
	}
}

// The times of kubectl logs --timestamps are taken off before a reader looks that would
// find its table and none of its rows.
func TestReadStampedTable(t *testing.T) {
	text, err := os.ReadFile("testdata/firstcontact/npu-smi-24.1-a3-dash-power.txt")
	if err != nil {
		t.Fatal(err)
	}
	stamped := ""
	for line := range strings.Lines(string(text)) {
		stamped += "2026-08-01T10:00:00.123456789Z " + line
	}
	if a, err := Read(strings.NewReader(stamped), Origin{}); err != nil || len(a.Readings) != 2 {
		t.Errorf("%v, %s: %d GPUs, want 2", err, a.Format, len(a.Readings))
	}
}

// The processes of a board below a line of kubectl or in a fence are no boards, also where the
// rows are looked at without their heading.
func TestProcessesBelowOtherLines(t *testing.T) {
	const apps = "timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n" +
		"2026/07/14 08:12:53.500, NVIDIA H100 80GB HBM3, 00000000:00:09.0, 0000000000000, GPU-00000000-0000-0000-0000-000000000000, 11327, /opt/tools/memhog, 2566 MiB\n" +
		"2026/07/14 08:12:53.500, NVIDIA H100 80GB HBM3, 00000000:00:09.0, 0000000000000, GPU-00000000-0000-0000-0000-000000000000, 11345, ./gpu_burn, 15690 MiB\n"
	for _, text := range []string{apps, "Defaulted container \"pytorch\" out of: pytorch, istio-proxy\n$ nvidia-smi\n" + apps, "```\n" + apps + "```\n"} {
		if a, _ := InLog([]byte(text)); len(a.Readings) > 0 {
			t.Errorf("%q\nhas %+v", text, a.Readings[0].GPU)
		}
	}
}
