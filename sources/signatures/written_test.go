package signatures

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// scanned returns the hits of a log's lines that have a cause.
func scanned(text string) []train.LogHit {
	s := NewScanner(InAnyText)
	var hits []train.LogHit
	for i, line := range strings.Split(text, "\n") {
		for _, hit := range s.Line(int64(i+1), time.Time{}, []byte(line)) {
			if hit.Cause != "" {
				hits = append(hits, hit)
			}
		}
	}
	return hits
}

// checkFirst scans each line alone and checks its first cause, "" for none.
func checkFirst(t *testing.T, lines map[string]train.Cause) {
	t.Helper()
	for line, want := range lines {
		var got train.Cause
		if hits := scanned(line); len(hits) > 0 {
			got = hits[0].Cause
		}
		if got != want {
			t.Errorf("%s\n got %q want %q", line, got, want)
		}
	}
}

// TestQuotedMessages checks that a message inside JSON or Go's %q is scanned like the
// original.
func TestQuotedMessages(t *testing.T) {
	for line, want := range map[string]train.Cause{
		`{"msg":"0/3 nodes are available: persistentvolumeclaim \"data\" not found."}`:                  "pvc-not-found",
		`level=error msg="RunPodSandbox failed" error="no runtime for \"nvidia\" is configured"`:        "runtime-class-missing",
		`{"msg":"persistentvolumeclaim \"data\" found"}`:                                                "",
		`C:\data\"train" and a path that ends in a backslash before a quote \"`:                         "",
		`{"error":"pods \"w-0\" is forbidden: error looking up service account ml/a: not found \"a\""}`: "service-account-missing",
	} {
		hits := scanned(line)
		var got train.Cause
		if len(hits) > 0 {
			got = hits[0].Cause
		}
		if got != want {
			t.Errorf("%s\n got %q want %q", line, got, want)
		}
	}
}

// TestRoundQuotes checks that a message with curly quotation marks is scanned like
// the original.
func TestRoundQuotes(t *testing.T) {
	for line, want := range map[string]train.Cause{
		"AttributeError: Can’t pickle local object ‘setup.<locals>.seed_worker’": "pickle-spawn-error",
		"MountVolume.SetUp failed for volume “cfg” : configmap “cfg” not found":  "configmap-not-found",
		"Epoch 1 — done … ‘ok’":      "",
		"cut within a mark \xe2\x80": "",
	} {
		hits := scanned(line)
		var got train.Cause
		if len(hits) > 0 {
			got = hits[0].Cause
		}
		if got != want {
			t.Errorf("%s\n got %q want %q", line, got, want)
		}
	}
}

// TestLaunchersTags checks that a rank in front of a line is removed: srun -l writes
// it bare, and Horovod below its warning.
func TestLaunchersTags(t *testing.T) {
	hits := scanned("2: Traceback (most recent call last):\n2:   File \"/opt/train/train.py\", line 21, in main\n2:     y = table[key]\n2: KeyError: 'input_ids'")
	if len(hits) != 1 || hits[0].Rank != 2 || hits[0].Text != "KeyError: 'input_ids'" || hits[0].Frame == "" {
		t.Errorf("srun: %+v", hits)
	}
	hits = scanned("> Traceback (most recent call last):\n>   File \"/opt/train/train.py\", line 21, in main\n>     y = table[key]\n> KeyError: 'input_ids'")
	if len(hits) != 1 || hits[0].Text != "KeyError: 'input_ids'" || hits[0].Frame == "" {
		t.Errorf("quoted: %+v", hits)
	}
	hits = scanned("[1,0]<stderr>:6: [horovod_allreduce.0, horovod_allreduce.1 ...]")
	if len(hits) != 1 || hits[0].Rank != 6 || hits[0].Cause != "horovod-stall" {
		t.Errorf("horovod: %+v", hits)
	}
	for _, tag := range []string{"[ml][job-master-0] ", "[job-worker-3] ", "[pod/job-worker-0/pytorch] ", "worker-1  | ", "> ", "> > "} {
		if hits = scanned(tag + "socket.gaierror: [Errno -3] Temporary failure in name resolution"); len(hits) != 1 || hits[0].Cause != "master-addr-unresolvable" {
			t.Errorf("%q: %+v", tag, hits)
		}
	}
	for _, before := range []string{"2024-11-20 14:37:16 ", "diffusion-nodes.cn-n001.nolog [stderr] "} {
		hits = scanned(before + "[rank3]: Traceback (most recent call last):\n" + before[:len(before)-2] + "7 [rank3]:   File \"/opt/train/train.py\", line 21, in main\n" + before + "[rank3]: KeyError: 'input_ids'")
		if len(hits) != 1 || hits[0].Rank != 3 || hits[0].Text != "KeyError: 'input_ids'" || hits[0].Frame == "" {
			t.Errorf("%q: %+v", before, hits)
		}
	}
	if hits = scanned("the answer was > socket.gaierror: [Errno -3] Temporary failure in name resolution"); len(hits) != 0 {
		t.Errorf("in a sentence: %+v", hits)
	}
}

// TestMarkedLines checks that a line which is bold, or code, in Markdown is scanned
// as the program printed it.
func TestMarkedLines(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"**Killed**":        "sigkill-received",
		"`Killed`":          "sigkill-received",
		"**KeyError: 'a'**": "python-exception",
		"**Killed** it":     "",
		"***Killed***":      "",
		"*Killed*":          "",
		"**":                "",
		"`":                 "",
		"*****":             "",
	})
}

// TestWarningBesideInformation checks that a warning of NCCL is found in a line that
// another process began or continued.
func TestWarningBesideInformation(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"n:1:9 [0] NCCL INFO Channel 00 : n:1:2 [0] misc/socket.cc:483 NCCL WARN socketStartConnect: Connect to 10.0.0.2<45763> failed : No route to host":                                                                                                                                      "nccl-init-failure",
		"n:1:2 [1] NCCL WARN Net : Call to recv from 10.0.0.2<58355> failed : Broken pipe n:1:2 [1] NCCL INFO misc/socket.cc:535 -> 6":                                                                                                                                                          "nccl-connection-lost",
		"n:1:2 [0] misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1] n:1:2 [0] NCCL INFO Call to connect returned Connection refused, retrying":                                                                                                                                     "",
		"n:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[1][rank3]:[E620 00:51:09.1 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600029 milliseconds before timing out.": "nccl-timeout",
		"n:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[1][rank3]:[W620 00:51:09.1 ProcessGroupNCCL.cpp:616] operation timeout":                                                                                                                                                                     "",
	})
}

// TestStorageNearSaving checks how far "saving checkpoint" reaches: failures after
// that are still the storage's.
func TestStorageNearSaving(t *testing.T) {
	const failure = "Traceback (most recent call last):\n  File \"train.py\", line 4, in on_epoch_end\n    self.end()\nOSError: [Errno 5] Input/output error"
	for before, want := range map[string]train.Cause{
		"2022-12-12 11:06:50: saving checkpoint...\n":                             "checkpoint-write-failed",
		"2022-12-12 11:06:50: saving checkpoint...\n" + strings.Repeat("x\n", 20): "storage-hang",
		"2022-12-12 11:06:50: reading the next shard\n":                           "storage-hang",
	} {
		hits := scanned(before + failure)
		if len(hits) != 1 || hits[0].Cause != want {
			t.Errorf("after %q: %+v, want %s", before, hits, want)
		}
	}
}

// TestConnectionsOfClients checks that the frames show whose connection failed.
func TestConnectionsOfClients(t *testing.T) {
	in := func(path, exception string) string {
		return "Traceback (most recent call last):\n  File \"train.py\", line 4, in main\n  File \"" + path + "\", line 9, in connect\n    sock.connect(sa)\n" + exception
	}
	const packages = "/opt/conda/lib/python3.10/site-packages/"
	for text, want := range map[string]train.Cause{
		in(packages+"urllib3/util/connection.py", "socket.timeout: timed out"):                                                                "dataset-download-failure",
		in(packages+"urllib3/connection.py", "TimeoutError: timed out"):                                                                       "dataset-download-failure",
		in("/usr/lib/python3.10/urllib/request.py", "socket.gaierror: [Errno -3] Temporary failure in name resolution"):                       "dataset-download-failure",
		in(packages+"aiohttp/connector.py", "ConnectionResetError: [Errno 104] Connection reset by peer"):                                     "dataset-download-failure",
		in(packages+"webdataset/tariterators.py", "zlib.error: Error -3 while decompressing data"):                                            "python-exception",
		in(packages+"urllib3/connection.py", "ValueError: invalid header"):                                                                    "python-exception",
		in(packages+"torch/distributed/rendezvous.py", "TimeoutError: timed out"):                                                             "python-exception",
		in(packages+"torch/distributed/rendezvous.py", "socket.gaierror: [Errno -2] Name or service not known"):                               "master-addr-unresolvable",
		in(packages+"kubernetes/client/rest.py\", line 1, in request\n  File \""+packages+"urllib3/connection.py", "TimeoutError: timed out"): "python-exception",
	} {
		if hits := scanned(text); len(hits) != 1 || hits[0].Cause != want {
			t.Errorf("%s\n got %+v, want %s", text, hits, want)
		}
	}
}

// TestXidAfterAnother checks that a clean-up has the cause of the error before it.
func TestXidAfterAnother(t *testing.T) {
	hits := scanned("kernel: NVRM: Xid (PCI:0000:dc:00): 45, pid=1818990, name=python3, Ch 00000001 caused by previous Xid 149")
	if len(hits) != 1 || hits[0].Cause != "nvlink-error" {
		t.Errorf("after another: %+v", hits)
	}
	if hits = scanned("kernel: NVRM: Xid (PCI:0000:dc:00): 45, pid=1818990, name=python3, Ch 00000001"); len(hits) != 0 {
		t.Errorf("alone: %+v", hits)
	}
}

// TestXidsOfOneTable checks that a line of the kernel means the same as a reading
// with the same code.
func TestXidsOfOneTable(t *testing.T) {
	for _, x := range train.Xids() {
		var got train.Cause
		if hits := scanned("kernel: NVRM: Xid (PCI:0000:dc:00): " + strconv.Itoa(x.Code) + ", pid=1818990, name=python3"); len(hits) > 0 {
			got = hits[0].Cause
		}
		if got != x.Cause {
			t.Errorf("Xid %d: the line tells %q, the table %q", x.Code, got, x.Cause)
		}
	}
}

// TestKilledAtTheEnd checks that a shell's last message is found if nothing follows
// it.
func TestKilledAtTheEnd(t *testing.T) {
	for line, want := range map[string]int{
		"Killed":                            1,
		"train.sh: line 12: 12345 Killed":   1,
		"./train.sh: 3: ./train.sh: Killed": 1,
		"nobody knows who was Killed":       0,
	} {
		if hits := scanned(line); len(hits) != want || want == 1 && hits[0].Cause != "sigkill-received" {
			t.Errorf("%s: %+v", line, hits)
		}
	}
}

// TestErrnoOfTheStore checks that an errno message alone is PyTorch's, whereas one of
// Python names the exception.
func TestErrnoOfTheStore(t *testing.T) {
	for line, want := range map[string]train.Cause{
		"RuntimeError: Connection reset by peer":                         "nccl-connection-lost",
		"RuntimeError: Broken pipe":                                      "nccl-connection-lost",
		"RuntimeError: Connection refused":                               "rendezvous-timeout",
		"RuntimeError: Broken pipeline stage 3":                          "python-exception",
		"RuntimeError: the queue said: Connection reset by peer at last": "python-exception",
	} {
		if hits := scanned(line); len(hits) != 1 || hits[0].Cause != want {
			t.Errorf("%s: %+v, want %s", line, hits, want)
		}
	}
}

// TestSpawnedChild checks that a child which cannot read its work reports a failure of
// its parent, and that the same message about a file is the file's.
func TestSpawnedChild(t *testing.T) {
	const spawned = "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n  File \"/usr/lib/python3.10/multiprocessing/spawn.py\", line 116, in spawn_main\n    exitcode = _main(fd, parent_sentinel)\n" +
		"  File \"/usr/lib/python3.10/multiprocessing/spawn.py\", line 126, in _main\n    self = reduction.pickle.load(from_parent)\n"
	for text, want := range map[string]train.Cause{
		spawned + "EOFError: Ran out of input":                                                                                                           "pickle-spawn-error",
		spawned + "AttributeError: Can't get attribute 'Data' on <module '__mp_main__'>":                                                                 "pickle-spawn-error",
		spawned + "  File \"/opt/train/data.py\", line 3, in <module>\n    import numpy\nModuleNotFoundError: No module named 'numpy'":                   "python-import-error",
		"Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 3, in load\n    state = pickle.load(file)\nEOFError: Ran out of input": "checkpoint-corrupt",
	} {
		if hits := scanned(text); len(hits) != 1 || hits[0].Cause != want {
			t.Errorf("%s\n got %+v, want %s", text, hits, want)
		}
	}
}

// TestRankOfGroup checks that an error which a process group repeats belongs to the
// rank in the group's prefix.
func TestRankOfGroup(t *testing.T) {
	hits := scanned("[E ProcessGroupNCCL.cpp:916] [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: uncorrectable ECC error encountered")
	if len(hits) != 1 || hits[0].Rank != 1 {
		t.Errorf("of torch 2.1: %+v", hits)
	}
	hits = scanned("torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL")
	if len(hits) != 1 || hits[0].Cause != "sigkill-received" || hits[0].Rank != 1 {
		t.Errorf("of spawn: %+v", hits)
	}
	hits = scanned("[E314 14:33:46.5 ProcessGroupNCCL.cpp:1595] [PG ID 0 PG GUID 0(default_pg) Rank 3] Process group watchdog thread terminated with exception: CUDA error: unspecified launch failure")
	if len(hits) != 1 || hits[0].Rank != 3 {
		t.Errorf("of torch 2.6: %+v", hits)
	}
}

// TestStoppedByHand checks that a program which somebody stopped while it waited for
// other ranks counts as hung, and any other only as stopped.
func TestStoppedByHand(t *testing.T) {
	in := func(frames ...string) string {
		text := "^CTraceback (most recent call last):\n  File \"/opt/train/train.py\", line 21, in main\n    step()"
		for _, frame := range frames {
			text += "\n  File \"/opt/conda/lib/python3.10/site-packages/" + frame + "\n    work.wait()"
		}
		return text + "\nKeyboardInterrupt"
	}
	for text, want := range map[string]train.Cause{
		in("torch/distributed/c10d_logger.py\", line 72, in wrapper", "torch/distributed/distributed_c10d.py\", line 3439, in barrier"):        "hang-no-output",
		in("torch/distributed/distributed_c10d.py\", line 900, in init_process_group", "torch/distributed/rendezvous.py\", line 200, in _env"): "rendezvous-timeout",
		in("torch/utils/data/dataloader.py\", line 1132, in _try_get_data"):                                                                    "python-exception",
		in("torch/distributed/elastic/agent/server/api.py\", line 709, in run"):                                                                "python-exception",
		strings.Replace(in("torch/distributed/distributed_c10d.py\", line 3439, in barrier"), "KeyboardInterrupt", "ValueError: no group", 1):  "python-exception",
	} {
		if hits := scanned(text); len(hits) != 1 || hits[0].Cause != want || hits[0].Frame != "train.py:21 in main" {
			t.Errorf("%s\n got %+v, want %s", text, hits, want)
		}
	}
}

// TestCutTraceback checks that a log which ends within a traceback has a hit, and one
// whose traceback was handled, or only reported, has none.
func TestCutTraceback(t *testing.T) {
	const cut = "[rank2]: Traceback (most recent call last):\n[rank2]:   File \"/opt/train/train.py\", line 21, in main\n[rank2]:     y = step(x)"
	for text, want := range map[string]int{
		cut: 1,
		"Exception ignored in: <function Iter.__del__ at 0x7f>\nTraceback (most recent call last):\n  File \"/opt/train/data.py\", line 3, in __del__": 0,
		cut + strings.Repeat("\n[rank2]: step", 20): 0,
		cut + "\n[rank2]: ValueError: no\n[rank2]: During handling of the above exception, another exception occurred:\n" + cut: 1,
	} {
		s := NewScanner(InAnyText)
		var hits []train.LogHit
		for i, line := range strings.Split(text, "\n") {
			hits = append(hits, s.Line(int64(i+1), time.Time{}, []byte(line))...)
		}
		hits = append(hits, s.End()...)
		if len(hits) != want || want == 1 && (hits[0].Cause != "python-exception" || hits[0].Rank != 2) {
			t.Errorf("%s\n got %+v, want %d", text, hits, want)
		}
	}
}

// TestMovedLines checks that the beginning of a message is found where a page or a
// list indented it, in files that people wrote.
func TestMovedLines(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"    sh: 1: torchrun: not found":                                           "command-not-found",
		"- bash: torchrun: command not found":                                      "command-not-found",
		"    /job/run.sh: line 10:    93 Killed    python":                         "sigkill-received",
		"[2023-10-19 11:11:54] Killed":                                             "sigkill-received",
		"2023-10-19 11:11:54 bash: torchrun: command not found":                    "command-not-found",
		"Oct 19 11:11:54 gpu-1 run.sh[12]: /job/run.sh: line 10: 93 Killed python": "sigkill-received",
		"2023-10-19 11:11:54 the process was not Killed":                           "",
		"- name: Killed":                        "",
		"- ValueError: what a list says of one": "",
	})
}

// TestLauncherTraceback checks that torchrun's own exception about a failed child is
// no exception of the program, cut off or not.
func TestLauncherTraceback(t *testing.T) {
	const childFailed = "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 0 (pid: 162) of binary: /usr/bin/python\n"
	const own = "Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 21, in main\n    y = step(x)"
	for text, want := range map[string]string{
		childFailed + "Traceback (most recent call last):": "torchrun-child-failed",
		childFailed + "Traceback (most recent call last):\n  File \"/opt/conda/bin/torchrun\", line 8, in <module>\n    sys.exit(main())": "torchrun-child-failed",
		childFailed + "  File \"/opt/conda/bin/torchrun\", line 8, in <module>\n    sys.exit(main())":                                     "torchrun-child-failed",
		childFailed + own: "torchrun-child-failed python-exception",
		"Traceback (most recent call last):\n  File \"/opt/conda/bin/torchrun\", line 8, in <module>": "python-exception",
	} {
		s := NewScanner(InAnyText)
		var causes []string
		for i, line := range strings.Split(text, "\n") {
			for _, hit := range s.Line(int64(i+1), time.Time{}, []byte(line)) {
				causes = append(causes, string(hit.Cause))
			}
		}
		for _, hit := range s.End() {
			causes = append(causes, string(hit.Cause))
		}
		if got := strings.Join(causes, " "); got != want {
			t.Errorf("%s\n got %s, want %s", text, got, want)
		}
	}
}

// TestTrimmedTraceback checks tracebacks whose head is cut off and whose lines lost their
// indentation: in a paste the first line, in some collectors each line.
func TestTrimmedTraceback(t *testing.T) {
	for text, want := range map[string]string{
		"File \"/opt/train/train.py\", line 21, in main\n    y = step(x)\nmodel.errors_impl.DataLossError: 2 root error(s) found.": "train.py:21 in main",
		"File \"/opt/train/train.py\", line 21, in main\ny = step(x)\nKeyError: 'loss'":                                            "train.py:21 in main",
		"File \"/opt/train/train.py\", line 21\nwas read":                                                                          "",
		"Read \"a\"\nFile \"/data/a.bin\", line 3 of 9, in use":                                                                    "",
		"INFO opened File \"/data/a.bin\", line 3, in text":                                                                        "",
	} {
		s := NewScanner(InAnyText)
		var hits []train.LogHit
		for i, line := range strings.Split(text, "\n") {
			hits = append(hits, s.Line(int64(i+1), time.Time{}, []byte(line))...)
		}
		frame := ""
		for _, hit := range append(hits, s.End()...) {
			frame = hit.Frame
			if hit.Cause != "python-exception" {
				t.Errorf("%s\n got %s", text, hit.Cause)
			}
		}
		if frame != want {
			t.Errorf("%s\n got frame %q, want %q", text, frame, want)
		}
	}
}
