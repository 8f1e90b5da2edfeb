package dump

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

type sinkFunc func(...store.Event)

func (f sinkFunc) Apply(events ...store.Event) { f(events...) }

// A line like the beginning of a section that names no valid pod is text:
// names are shown, and text is untrusted.
func TestSectionsNamePods(t *testing.T) {
	for head, want := range map[string]prefixing{
		"==== START logs for container pytorch of pod ml/bert-worker-0 ====\nstep 1\n":            ofSections,
		"==== START logs for container py\x1b[2Jtorch of pod ml/bert-worker-0 ====\nstep 1\n":     oneLog,
		"==== START logs for container pytorch of pod ml/\x1b]0;title\x07bert ====\nstep 1\n":     oneLog,
		"==== START logs for container pytorch of pod m\u202el/bert-worker-0 ====\nstep 1\n":      oneLog,
		"==== START logs for container pytorch of pod ml/bert/../../../etc/passwd ====\nstep 1\n": oneLog,
	} {
		if got := prefixingOf([]byte(head), pods{}); got != want {
			t.Errorf("%q is %d, want %d", head, got, want)
		}
	}
}

// The lines of several pods in one file are distinguished by the pod's name before
// each.
func TestPrefixesOfPods(t *testing.T) {
	both := func(first, second string) string { return first + " step 1 loss 2\n" + second + " step 1 loss 3\n" }
	for head, want := range map[string]prefixing{
		both("bert-worker-0 pytorch", "bert-worker-1 pytorch"):                                                          ofStern,
		both("bert-x7k2p pytorch", "bert-b4vzn pytorch"):                                                                ofStern,
		"bert-worker-0 step 1 loss 2\nbert-worker-1 step 1 loss 3\n":                                                    oneLog, // names of machines
		"bert-worker-0 started it\nbert-worker-1 waits for it\n":                                                        oneLog,
		both("bert-worker-0 pytorch", "bert-worker-0 pytorch"):                                                          oneLog,
		both("[bert-worker-0]", "[bert-worker-1]"):                                                                      ofKubetail,
		both("[bert-worker-0 pytorch]", "[bert-worker-1 pytorch]"):                                                      ofKubetail,
		both("\x1b[0;32m[bert-worker-0]\x1b[0m", "\x1b[0;36m[bert-worker-1]\x1b[0m"):                                    ofKubetail,
		both("[rank-0]", "[rank-1]"):                                                                                    oneLog, // a launcher's
		both("[bert-worker-0]", "[torch-elastic]"):                                                                      oneLog,
		both("[bert-worker-0]", "bert-worker-1 pytorch"):                                                                oneLog,
		strings.Repeat(both("bert-worker-0:", "bert-worker-1:"), 4):                                                     ofColon,
		strings.Repeat(both("\x1b[36mbert-x7k2p-train-1234567890:", "\x1b[31mbert-x7k2p-train-2345678901:"), 4):         ofColon,
		strings.Repeat(both("ml/bert-worker-0[pytorch]:", "ml/bert-worker-1[pytorch]:"), 4):                             ofColon,
		strings.Repeat(both("data-loader:", "model-trainer:"), 4):                                                       oneLog, // loggers
		strings.Repeat("bert-worker-0: step 1 loss 2\n", 8):                                                             oneLog, // one machine
		both(stampOf+"ip-10-0-0-1-application.var.log.containers."+logFileOf(0), stampOf+"ip-10-0-0-2."+logFileOf(1)):   ofLogFiles,
		both("/var/log/containers/"+strings.TrimSuffix(logFileOf(0), " ")+":", "/var/log/containers/"+logFileOf(1)+":"): ofLogFiles,
	} {
		if got := prefixingOf([]byte(head), pods{}); got != want {
			t.Errorf("%q is %d, want %d", head, got, want)
		}
	}
	for _, c := range []struct {
		of         prefixing
		line, text string
		from       source
	}{
		{ofColon, "\x1b[36mbert-worker-1: step 1: loss 2\x1b[0m", "step 1: loss 2\x1b[0m", source{"", "bert-worker-1", ""}},
		{ofColon, "ml/bert-worker-1[pytorch]: step 1", "step 1", source{"ml", "bert-worker-1", "pytorch"}},
		{ofLogFiles, stampOf + "ip-10-0-0-1-application.var.log.containers." + logFileOf(1) + " step 1", stampOf + "step 1", source{"ml", "bert-worker-1", "pytorch"}},
		{ofLogFiles, "/var/log/containers/" + logFileOf(1) + ":" + stampOf + "stdout F step 1", stampOf + "stdout F step 1", source{"ml", "bert-worker-1", "pytorch"}},
	} {
		if from, text := c.of.take([]byte(c.line), source{}); from != c.from || string(text) != c.text {
			t.Errorf("%q: %+v, %q", c.line, from, text)
		}
	}
	from, text := ofKubetail.take([]byte("\x1b[0;32m[bert-worker-0 pytorch]\x1b[0m step 1"), source{})
	if want := (source{"", "bert-worker-0", "pytorch"}); from != want || string(text) != "step 1" {
		t.Errorf("%+v, %q", from, text)
	}
}

const stampOf = "2026-11-20T11:00:00.000000+00:00 "

// logFileOf is the name of a container's log file.
func logFileOf(rank int) string {
	return fmt.Sprintf("bert-worker-%d_ml_pytorch-%064d.log", rank, rank)
}

// The description of a job above those of its pods belongs to them.
func TestDescriptionsOfPodsAlone(t *testing.T) {
	pod := func(name string) string {
		return "Name:         " + name + "\nNamespace:    ml\nNode:         gpu-0/10.0.0.1\nStatus:       Running\n"
	}
	const job = "Name:         bert\nNamespace:    ml\nKind:         PyTorchJob\n"
	for text, want := range map[string]prefixing{
		pod("bert-worker-0") + "\n\n" + pod("bert-worker-1"):                                           ofDescriptions,
		pod("bert-worker-0") + "\n\n" + pod("bert-worker-1") + "\n\nName:         bert-worker-2\nName": ofDescriptions,
		job + "\n\n" + pod("bert-worker-0") + "\n\n" + pod("bert-worker-1"):                            oneLog,
		"Name:           bert\nSelector:       a=b\n\n" + pod("bert-0") + "\n\n" + pod("bert-1"):       oneLog,
		pod("bert-worker-0"): oneLog,
	} {
		if got := prefixingOf([]byte(text), pods{}); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

// The output of kubectl logs --previous --prefix for several pods is of the instance
// before.
func TestPreviousLogsOfPrefixedPods(t *testing.T) {
	known := pods{"bert-worker-0": {{namespace: "ml", name: "bert-worker-0", uid: "u", containers: []containerRestarts{{container: "pytorch", restarts: 2}}}}}
	from := source{pod: "bert-worker-0", container: "pytorch"}
	for path, want := range map[string]int{"all.log": 2, "previous.log": 1, "all-previous.log": 1} {
		if id := streamFrom(path, from, known); id.Restart != want || id.UID != "u" {
			t.Errorf("%s: %+v, want instance %d", path, id, want)
		}
	}
}

// Lines without a prefix behind lines that have one are a log of their own, and a few
// are named: none is lost without a word.
func TestLinesWithoutPrefixAreNotLost(t *testing.T) {
	const own = "step 1 loss 2\nstep 2 loss 1\n\nTraceback (most recent call last):\nRuntimeError: CUDA error\n"
	for name, prefixes := range map[string][2]string{
		"kubectl":  {"[pod/a-worker-0/c] ", "[pod/a-worker-1/c] "},
		"stern":    {"a-worker-0 c ", "a-worker-1 c "},
		"kubetail": {"[a-worker-0] ", "[a-worker-1] "},
	} {
		var head string
		for step := range splitLines {
			head += fmt.Sprintf("%sstep %d loss 3\n", prefixes[step%2], step)
		}
		for below, want := range map[string]struct {
			lines int
			left  string
		}{
			own: {4, ""},
			own + prefixes[0] + "step 99 loss 1\n" + own:                      {8, ""},
			"^C\n\nada@laptop:~$ ":                                            {0, "2 lines are in no log, for they bear no pod's name as the others do; the first is line 65: ^C"},
			"export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567\n": {0, "1 line is in no log, for it bears no pod's name as the others do; the first is line 65: export WANDB_API_KEY=<redacted:wandb-key>"},
		} {
			path := write(t, "all.log", head+below)
			s := store.New(time.Now)
			f := New([]string{path}, Options{Now: time.Now})
			if err := f.Run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			got := 0
			s.Snapshot().Logs(func(log *store.Log) bool {
				if log.ID.Pod == "" {
					got += log.Lines.Len()
				}
				return true
			})
			var left string
			for _, problem := range f.Summary().LeftOut {
				left += problem.Text
			}
			if got != want.lines || left != want.left {
				t.Errorf("%s, %q: %d lines, %q", name, below, got, left)
			}
		}
	}
}

// In a file of several logs, every byte cut from a line of megabytes is
// counted.
func TestSplitLongLines(t *testing.T) {
	long := "[pod/a-0/c] " + strings.Repeat("word ", 300_000) + "end"
	text := "[pod/a-0/c] one\n" + long + "\n[pod/a-1/c] two\n[pod/a-0/c] three\n"
	for _, piece := range []int{1000, 300_000} {
		lines := map[int64]train.LogLine{}
		sink := sinkFunc(func(events ...store.Event) {
			for _, event := range events {
				if logged, is := event.(store.Logged); is {
					for _, line := range logged.Lines {
						lines[line.Number] = line
					}
				}
			}
		})
		s := &splitter{prefixing: ofKubectl, feeds: map[source]*logfeed.Feed{}, open: func(from source) *logfeed.Feed {
			return logfeed.NewFeed(sink, train.StreamID{Pod: from.pod, Container: from.container, File: "x"}, logfeed.Options{})
		}}
		for p := []byte(text); len(p) > 0; {
			n := min(piece, len(p))
			_, _ = s.Write(p[:n])
			p = p[n:]
		}
		s.End()
		if len(lines) != 4 || lines[1].Text != "one" || lines[3].Text != "two" || lines[4].Text != "three" {
			t.Errorf("in pieces of %d: %d lines", piece, len(lines))
		}
		if got, want := lines[2].Cut, len(long)-len("[pod/a-0/c] ")-logfeed.MaxLine; got != want {
			t.Errorf("in pieces of %d: %d bytes are cut, not %d", piece, got, want)
		}
	}
}

// A name above the lines of each log, or in each record of a collector, shows whose they are.
func TestLogsBelowHeadingsAndInRecords(t *testing.T) {
	const first, second = "step 1 loss 2\nstep 2 loss 1", "step 1 loss 3\nRuntimeError: CUDA error"
	inRecords := func(form string) (text string) {
		for i, line := range strings.Split(first+"\n"+second, "\n") {
			text += fmt.Sprintf(form, fmt.Sprintf("a-worker-%d", i/2), line, fmt.Sprintf("2026-11-29T09:00:0%dZ", i))
		}
		return text
	}
	loki := `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"a-worker-0"},"values":[["1764406800000000000","step 1 loss 2"],["1764406801000000000","step 2 loss 1"]]},` +
		`{"stream":{"pod":"a-worker-1"},"values":[["1764406800000000000","step 1 loss 3"],["1764406801000000000","RuntimeError: CUDA error"]]}]}}`
	for name, text := range map[string]string{
		"compose":          "a-worker-0  | " + strings.ReplaceAll(first, "\n", "\na-worker-0  | ") + "\na-worker-1  | " + strings.ReplaceAll(second, "\n", "\na-worker-1  | ") + strings.Repeat("\na-worker-1  | ", 4) + "\na-worker-1 exited with code 1\n",
		"CSV":              "timestamp,pod,message\n" + inRecords(`%[3]s,%[1]s,"%[2]s"`+"\n"),
		"CSV of Kibana":    `"@timestamp","message","kubernetes.pod_name"` + "\n" + inRecords(`"%[3]s","%[2]s","%[1]s"`+"\n"),
		"CSV with lines":   "Time\tlabels.pod\tLine\n" + inRecords("%[3]s\t%[1]s\t\"%[2]s\nas \"\"it\"\" is\"\n"),
		"syslog":           inRecords("Nov 29 09:00:00 gpu-node-7 %[1]s[17]: %[2]s\n"),
		"syslog of pods":   inRecords("<14>Nov 29 09:00:00 %[1]s trainer[17]: %[2]s\n"),
		"tail":             "==> logs/rank0.log <==\n" + first + "\n\n==> logs/rank1.log <==\n" + second + "\n",
		"echo of pods":     "== a-worker-0 ==\n" + first + "\n== a-worker-1 ==\n" + second + "\n",
		"echo of ranks":    "=== Rank 0 ===\n" + first + "\n=== Rank 1 ===\n" + second + "\n",
		"Markdown":         "### a-worker-0\n" + first + "\n### a-worker-1\n" + second + "\n",
		"typed":            "$ kubectl logs a-worker-0\n" + first + "\n$ kubectl -n ml logs pod/a-worker-1 -c pytorch\n" + second + "\n",
		"Fluent Bit":       inRecords(`{"log":"%[2]s\n","time":"%[3]s","kubernetes":{"pod_name":"%[1]s","container_name":"pytorch"}}` + "\n"),
		"stern -o json":    inRecords(`{"message":"%[2]s\n","nodeName":"n","namespace":"ml","podName":"%[1]s","containerName":"pytorch"}` + "\n"),
		"Filebeat":         inRecords(`{"@timestamp":"%[3]s","message":"%[2]s","kubernetes":{"pod":{"uid":"x","name":"%[1]s"}}}` + "\n"),
		"Loki's answer":    loki,
		"hits of searches": `{"hits":{"hits":[` + strings.TrimSuffix(inRecords(`{"_source":{"@timestamp":"%[3]s","message":"%[2]s","kubernetes":{"pod":{"name":"%[1]s"}}}},`), ",") + `]}}`,
	} {
		s := store.New(time.Now)
		if err := New([]string{write(t, "all.log", text)}, Options{Now: time.Now}).Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		got := map[int]string{}
		s.Snapshot().Logs(func(log *store.Log) bool {
			for i := range log.Lines.Len() {
				if line := log.Lines.At(i).Text; strings.Contains(line, "loss") {
					got[log.Rank] += line[strings.Index(line, "step"):strings.Index(line, "loss ")+len("loss ")+1] + ";"
				}
			}
			return true
		})
		if len(got) != 2 || got[0] != "step 1 loss 2;step 2 loss 1;" || got[1] != "step 1 loss 3;" {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, text := range map[string]string{
		"titles of a program": "=== Epoch 3 ===\nstep 1 loss 2\n--- step_2 ---\nstep 2 loss 1\n",
		"kubectl's events":    "LAST SEEN   TYPE   OBJECT   MESSAGE\n" + strings.Repeat("5m   Warning   pod/a-worker-0   failed\n6m   Warning   pod/a-worker-1   failed\n", 9),
		"an operator's words": strings.Repeat("2026-11-29 09:00:00 INFO heartbeat from a-worker-0 step 1\n2026-11-29 09:00:01 INFO heartbeat from a-worker-1 step 1\n", 9),
		"a table":             "epoch,loss,acc\n1,2.0,0.5\n2,1.9,0.6\n",
		"rows of layers":      "layer1  | 10\nlayer2  | 20\nlayer3  | 30\n",
		"one pod's records":   `{"log":"step 1 loss 2\n","kubernetes":{"pod_name":"a-worker-0"}}` + "\n" + `{"log":"step 2 loss 2\n","kubernetes":{"pod_name":"a-worker-0"}}` + "\n",
	} {
		if got := prefixingOf([]byte(text), pods{}); got != oneLog {
			t.Errorf("%s is %d", name, got)
		}
	}
}

// kubectl describes several pods one below the other: what it prints about each is a text
// of its own, named after the pod, and no log of the pod.
func TestDescriptionsOfPods(t *testing.T) {
	describe := func(name, reason string) string {
		return "Name:             " + name + "\nNamespace:        ml\nNode:             gpu-4/10.0.0.4\nContainers:\n  main:\n    State:          Waiting\n      Reason:       " + reason + "\n"
	}
	path := write(t, "pods.txt", describe("bert-worker-0", "ImagePullBackOff")+"\n\n"+describe("bert-worker-1", "CrashLoopBackOff"))
	files := New([]string{path}, Options{})
	files.TakeTexts()
	s := store.New(time.Now)
	if err := files.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	s.Snapshot().Logs(func(log *store.Log) bool {
		got[strings.TrimPrefix(log.ID.File, path)+log.ID.Pod] = log.Lines.Len()
		return true
	})
	if want := "map[/bert-worker-0:9 /bert-worker-1:7]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	for _, one := range []string{describe("bert-worker-0", "Error"), "Name:             a\nNamespace:        ml\nName:             b\nNamespace:        ml\n"} {
		if got := prefixingOf([]byte(one), pods{}); got != oneLog {
			t.Errorf("%q is %d", one, got)
		}
	}
}
