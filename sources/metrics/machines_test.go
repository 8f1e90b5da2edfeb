package metrics

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// smiTableOf is a table of nvidia-smi 550 of two GPUs with these utilizations.
func smiTableOf(uses ...int) string {
	var rows strings.Builder
	for i, use := range uses {
		fmt.Fprintf(&rows, `|   %d  NVIDIA H100 80GB HBM3          On  |   00000000:0%d:00.0 Off |                    0 |
| N/A   34C    P0             100W /  700W |   1000MiB /  81559MiB |     %2d%%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
`, i, i+1, use)
	}
	return `+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
|=========================================+========================+======================|
` + rows.String()
}

func eachLine(text, before string) string {
	return before + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+before) + "\n"
}

// TestTextsOfSeveralMachines: what several machines printed into one text is read with
// the name of each, however it is written there.
func TestTextsOfSeveralMachines(t *testing.T) {
	a, b := smiTableOf(90, 91), smiTableOf(5, 6)
	list := "GPU 0: NVIDIA H100 (UUID: GPU-0000000%d-1111-2222-3333-444444444444)\n"
	mixed := ""
	for i, line := range strings.SplitAfter(a, "\n") {
		if line != "" {
			mixed += "n0: " + line + "n1: " + strings.SplitAfter(b, "\n")[i]
		}
	}
	all := []string{"n0/0=90", "n0/1=91", "n1/0=5", "n1/1=6"}
	for _, c := range []struct {
		what, text string
		want       []string
		problem    string
	}{
		{"pdsh", eachLine(a, "n0: ") + eachLine(b, "n1: "), all, ""},
		{"pdsh, line by line", mixed, all, ""},
		{"pdsh with a prompt and its own words", "$ pdsh -w n[0-2] nvidia-smi\n" + eachLine(a, "n0: ") + "pdsh@head: n2: ssh exited with exit code 255\n" + eachLine(b, "n1: "), all, "line 15: beside the machines: nothing of GPUs: pdsh@head"},
		{"pdsh, one without a driver", eachLine(a, "n0: ") + "n2: bash: nvidia-smi: command not found\n" + eachLine(b, "n1: "), all, "line 14: n2: bash: nvidia-smi: command not found"},
		{"srun -l", eachLine(a, " 0: ") + eachLine(b, "12: "), []string{"task 0/0=90", "task 0/1=91", "task 12/0=5", "task 12/1=6"}, ""},
		{"kubectl logs --prefix", eachLine(a, "[pod/w-0/pytorch] ") + eachLine(b, "[pod/w-1/pytorch] "), []string{"w-0/0=90", "w-0/1=91", "w-1/0=5", "w-1/1=6"}, ""},
		{"kubectl logs --prefix --timestamps", eachLine(a, "[pod/w-0/c] 2026-05-07T10:36:57.123456789Z ") + eachLine(b, "[pod/w-1/c] 2026-05-07T10:36:57.2Z "), []string{"w-0/0=90", "w-0/1=91", "w-1/0=5", "w-1/1=6"}, ""},
		{"clush -b", "---------------\nn0\n---------------\n" + a + "---------------\nn1\n---------------\n" + b, all, ""},
		{"clush -b, two alike", "---------------\nn[0-1] (2)\n---------------\n" + a, []string{"n[0-1]/0=90", "n[0-1]/1=91"}, "several machines printed this"},
		{"a loop with echo", "n0\n" + a + "n1\n" + b, all, ""},
		{"names in bold", "**n0**\n\n" + a + "**n1:**\n\n" + b, all, ""},
		{"a bold word above one table", "**Usage**:\n" + a, []string{"/0=90", "/1=91"}, ""},
		{"a loop with echo, typed", "$ for n in n0 n1; do echo $n; ssh $n nvidia-smi; done\nn0:\n" + a + "\nn1:\n" + b, all, ""},
		{"full names in brackets", "[gpu-1.corp]\n" + a + "[gpu-2.corp]\n" + b, []string{"gpu-1.corp/0=90", "gpu-1.corp/1=91", "gpu-2.corp/0=5", "gpu-2.corp/1=6"}, ""},
		{"words and signs", "=== node n0\n" + a + "=== node n1\n" + b, all, ""},
		{"headings of Markdown", "## n0\n" + a + "## n1\n" + b, all, ""},
		{"shells in pods", "root@n0:/workspace# nvidia-smi\n" + a + "root@n0:/workspace# exit\nroot@n1:/workspace# nvidia-smi\n" + b, all, ""},
		{"ssh typed", "$ ssh n0 nvidia-smi\n" + a + "$ ssh ada@n1 nvidia-smi\n" + b, all, ""},
		{"kubectl exec typed", "$ kubectl exec n0 -- nvidia-smi\n" + a + "$ kubectl -n ml exec -it n1 -c pytorch -- nvidia-smi\n" + b, all, ""},
		{"ansible", "n0 | CHANGED | rc=0 >>\n" + a + "n1 | CHANGED | rc=0 >>\n" + b, all, ""},
		{"tail of files", "==> n0 <==\n" + a + "\n==> n1 <==\n" + b, all, ""},
		{"nvidia-smi -L", fmt.Sprintf("n0: "+list+"n1: "+list, 1, 2), []string{"n0/0=-1", "n1/0=-1"}, ""},
		{"one machine without a name", a, []string{"/0=90", "/1=91"}, ""},
	} {
		answer, err := Read(strings.NewReader(c.text), Origin{})
		var got []string
		for i := range answer.Readings {
			r := &answer.Readings[i]
			use, known := r.Values.Get(train.GPUUtilization)
			if !known {
				use = -1
			}
			got = append(got, fmt.Sprintf("%s/%s=%v", r.GPU.Host, r.GPU.Index, use))
		}
		problems := fmt.Sprint(answer.Problems)
		if err != nil || !slices.Equal(got, c.want) || (c.problem == "") != (len(answer.Problems) == 0) || !strings.Contains(problems, c.problem) {
			t.Errorf("%s: %v, %s as %q, problems %s", c.what, err, got, answer.Format, problems)
		}
	}
}

// TestLogsOfSeveralMachinesStayLogs: a log with names before its lines is a log, also
// where a table of GPUs begins it.
func TestLogsOfSeveralMachinesStayLogs(t *testing.T) {
	steps := strings.Repeat("step 1 loss 2.5\n", 40)
	for what, text := range map[string]string{
		"steps":           eachLine(steps, "n0: ") + eachLine(steps, "n1: "),
		"a table, steps":  eachLine(smiTableOf(5)+steps, "n0: ") + eachLine(steps, "n1: "),
		"headings":        "==> a.log <==\n" + steps + "==> b.log <==\n" + steps,
		"objects in YAML": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  nodeName: n0\n",
	} {
		if format := Detect([]byte(text)); format != NoFormat {
			t.Errorf("%s is taken for %s", what, format)
		}
	}
}

// TestTablesWithoutNames: tables of several machines without their names are not
// distinguished from one that is printed again, unless their times or GPUs do; then that
// is reported.
func TestTablesWithoutNames(t *testing.T) {
	first, second := "Sun Nov 29 16:30:45 2026\n"+smiTableOf(90, 91), smiTableOf(5, 6)
	for _, c := range []struct {
		what, text string
		said       bool
	}{
		{"at the same second", first + "Sun Nov 29 16:30:45 2026\n" + second, true},
		{"again, later", first + "Sun Nov 29 16:30:50 2026\n" + second, false},
		{"the same twice", first + first, false},
		{"another model", first + "Sun Nov 29 16:30:50 2026\n" + strings.ReplaceAll(second, "H100", "H200"), true},
		{"no times", smiTableOf(90, 91) + second, false},
	} {
		a, err := Read(strings.NewReader(c.text), Origin{})
		if err != nil || len(a.Readings) != 2 || c.said != (len(a.Problems) == 1) {
			t.Errorf("%s: %v, %d GPUs, problems %v", c.what, err, len(a.Readings), a.Problems)
		}
	}
}
