package draw

import (
	"strings"
	"testing"
)

func TestShortenedNamesStayDifferent(t *testing.T) {
	for _, names := range [][]string{
		{"llama-3-8b-sft-lr3e-4-seed1", "llama-3-8b-sft-lr3e-4-seed2", "llama-3-8b-sft-lr1e-5-seed1"},
		{"gpu-a100-04.region.cluster.internal", "gpu-a100-05.region.cluster.internal", "gpu-h100-05.region.cluster.internal"},
		{"a-very-long-name-with-one-word-that-differs-0-and-an-equal-end-of-it", "a-very-long-name-with-one-word-that-differs-1-and-an-equal-end-of-it", "a-very-long-name-with-0ne-word-that-differs-1-and-an-equal-end-of-it"},
		{"训练作业-大语言模型-第一次运行", "训练作业-大语言模型-第二次运行", "训练作业"},
		{"same-name-that-is-too-long", "same-name-that-is-too-long"},
	} {
		for width := 11; width < 30; width++ {
			seen := map[string]string{}
			for i, short := range CutDistinct(names, width, "…") {
				if Width(short) > width {
					t.Errorf("%q has %d cells, not %d", short, Width(short), width)
				}
				if other, taken := seen[short]; taken && other != names[i] {
					t.Errorf("at %d cells %q and %q are both %q", width, other, names[i], short)
				}
				seen[short] = names[i]
			}
		}
	}
}

func TestANameIsCutInItsMiddle(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{
		{"bert", 4, "bert"}, {"bert-large-worker-12", 11, "bert-…er-12"}, {"bert-large", 2, "b…"}, {"bert", 0, ""}, {"bert", 1, "…"},
	} {
		if got := CutMiddle(c.name, c.width, "…"); got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.name, c.width, got, c.want)
		}
	}
}

func TestAPathKeepsItsFile(t *testing.T) {
	for _, c := range []struct {
		path  string
		width int
		want  string
	}{
		{"runs/a.yaml", 11, "runs/a.yaml"},
		{"/home/ana/clusters/monday/jobs.yaml", 24, "/…/monday/jobs.yaml"},
		{"logs/of/many/runs/rank0.log", 20, "logs/…/rank0.log"},
		{"/home/a-file-with-a-long-name.yaml", 12, "a-file….yaml"},
	} {
		got := CutPath(c.path, c.width, "…")
		if got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.path, c.width, got, c.want)
		}
	}
	if got := CutPath(strings.Repeat("/folder", 40), 3, "…"); Width(got) > 3 {
		t.Errorf("%q is too long", got)
	}
}

func TestTextsLoseWhatTheyBeginWith(t *testing.T) {
	lines := []string{"INFO trainer.loop step 10 loss 2.1", "INFO trainer.loop step 11 loss 2.2", "–", ""}
	if got := strings.Join(cutCommon(lines, "…"), "|"); got != "…10 loss 2.1|…11 loss 2.2|–|" {
		t.Errorf("got %q", got)
	}
	for _, same := range [][]string{{"one text alone of all", "–"}, {"equal texts", "equal texts"}, {"a b", "a c"}} {
		if got := cutCommon(same, "…"); strings.Join(got, "|") != strings.Join(same, "|") {
			t.Errorf("%q became %q", same, got)
		}
	}
}

func TestALineLosesItsTime(t *testing.T) {
	for line, want := range map[string]string{
		"2026-11-20 09:00:01,123 - INFO - step 3":                         "INFO - step 3",
		"[2026-11-20T09:00:01.5Z] step 3":                                 "step 3",
		"2026/11/20 09:00:01 step 3":                                      "step 3",
		"09:00:01 | step 3":                                               "step 3",
		"I1120 09:00:01.123456   1 main.cc:12] step 3":                    "1 main.cc:12] step 3",
		"step 3 at 09:00:01":                                              "step 3 at 09:00:01",
		"2026-11-20 09:00:01":                                             "2026-11-20 09:00:01",
		"[rank1]:[titan] 2026-11-20 10:01:58,001 - root - INFO - step 60": "root - INFO - step 60",
		"[rank0]:step: 60":                                                "step: 60",
		"[a] note":                                                        "[a] note",
		"2026-11-20T09:00:01+02:00 epoch 1: 12:30 of 40s":                 "epoch 1: 12:30 of 40s",
	} {
		if got := LogMessage(line); got != want {
			t.Errorf("%q became %q, not %q", line, got, want)
		}
	}
}
