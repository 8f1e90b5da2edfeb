package logfindings_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// A text without a known message is diagnosed by its words, as a possibility;
// a long text, one of training, and one that recovered are not.
func TestWordsAloneAreAPossibility(t *testing.T) {
	const line = "E0312 fabric daemon: link 4 of the NVLink domain reports a fatal condition\n"
	found := diagnosed("booting\n" + line)
	if len(found) != 1 || found[0].Cause != "nvlink-error" || found[0].Severity != train.SeverityInfo || found[0].Confidence != train.Possible || !strings.HasPrefix(found[0].Title, "Perhaps: ") {
		t.Fatalf("got %+v", found)
	}
	if e := found[0].Evidence; len(e) != 1 || e[0].Line != 2 || !strings.Contains(e[0].Text, "fatal condition") {
		t.Errorf("evidence %+v", e)
	}
	for name, text := range map[string]string{
		"a long text":    strings.Repeat("nothing to see\n", 400) + line,
		"advice":         "如果显存不足，请减小 batch size\n",
		"a Chinese run":  "开始训练\nstep: 1 loss: 2.5\nstep: 2 loss: 2.25\n显存不足\n",
		"a run":          "step: 1 loss: 2.5\nstep: 2 loss: 2.25\n" + line,
		"nothing at all": "nothing to see\n",
		// github.com/google-deepmind/mujoco_playground/issues/113, github.com/NVIDIA/DeepLearningExamples/issues/1372
		"a first start":   "No checkpoint path provided, not restoring from checkpoint\n",
		"from scratch":    "Provided checkpoint None is not a file. Starting training from scratch.\n",
		"a warning's box": "UserWarning: NVLink is not supported, falling back\n",
	} {
		if found := diagnosed(text); len(found) > 0 {
			t.Errorf("%s: got %+v", name, found)
		}
	}
}

// A line that its program marks as an error in one of its fields in brackets is quoted
// (github.com/HabanaAI/vllm-fork/issues/484).
func TestErrorsInBrackets(t *testing.T) {
	for text, want := range map[string]string{
		"[19:08:34.164951][GC                    ][error][tid:44F8A] Failed to load tpc kernel for node: TPC634\n[19:08:34.165002][SYN_RECIPE    ][error][tid:44F8A] the graph was left\n": "application-error",
		"[19:08:34.164951][GC                    ][info][tid:44F8A] the graph was left\n":                                                                                                  "",
		"[INFO][SYN_RECIPE][tid:44F8A] no [error] was left\n":                                                                                                                              "",
	} {
		found := diagnosed(text)
		var got string
		if len(found) > 0 {
			got = string(found[0].Cause)
		}
		if got != want {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// Where what is known names no cause, the words of a line that is marked as an error do
// (candle-org/MindAct#1761, shortened). How a program ended is known without them.
func TestWordsNameWhatReportsDoNot(t *testing.T) {
	const traceback = "Traceback (most recent call last):\n  File \"/data/run_gemma.py\", line 17, in <module>\n    outputs = model.generate(**input_ids)\n"
	for text, want := range map[string]train.Cause{
		"[ERROR] PRE_ACT(54175): alloc size : 301990400 is more than total mem size : 29464985600.\n" + traceback: "cuda-out-of-memory",
		"[INFO] PRE_ACT(54175): alloc size : 301990400 is more than total mem size : 29464985600.\n" + traceback:  "python-exception",
		"[ERROR] the worker was killed by signal 9\n" + traceback:                                                 "python-exception",
	} {
		if found := diagnosed(text); len(found) != 1 || found[0].Cause != want {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// A table whose column shows that an object is not ready quotes the reason of its
// controller (kserve/kserve#1060).
func TestRowsThatAreNotReady(t *testing.T) {
	const head = "NAME                CONFIG NAME   GENERATION   READY   REASON\n"
	found := diagnosed(head + "iris-default-glhlt   iris-default  1            False   PodInitializing\n")
	if len(found) != 1 || found[0].Cause != "application-error" || !strings.Contains(found[0].Title, "iris-default-glhlt is not ready: PodInitializing") {
		t.Errorf("got %+v", found)
	}
	if found := diagnosed(head + "iris-default-glhlt   iris-default  1            True    \n"); len(found) > 0 {
		t.Errorf("got %+v", found)
	}
}

// An event that warns of a failure in unknown words is quoted, unless the pod
// started after it.
func TestUnknownEventsAreQuoted(t *testing.T) {
	const event = "  Warning  VolumeOrbitFailed  5m (x12 over 6m)  moonfs-csi  orbit 3 of pvc-1 was left\n"
	found := diagnosed(event)
	if len(found) != 1 || found[0].Severity != train.SeverityInfo || found[0].Title != "Perhaps: moonfs-csi says VolumeOrbitFailed: orbit 3 of pvc-1 was left" {
		t.Errorf("got %+v", found)
	}
	for text, title := range map[string]string{
		"  Warning  FabricAttach  2m (x5 over 3m)  fabric-controller  could not reserve partition p-17\n":                                                                                                              "Perhaps: fabric-controller says FabricAttach: could not reserve partition p-17",
		"  Warning  SeatCheck     2m (x15 over 3m)  seats             feature trainer is used by alice\n":                                                                                                              "Perhaps: seats says SeatCheck: feature trainer is used by alice",
		"  Warning  Failed     <invalid>   kubelet   Error: applying profile to container 43ed: an empty one is forbidden\n":                                                                                           "Perhaps: kubelet says Failed: Error: applying profile to container 43ed: an empty one is forbidden",
		`I1111 05:16:07.177533       1 event.go:307] "Event occurred" object="ml/llm-0" fieldPath="" kind="Pod" apiVersion="v1" type="Warning" reason="SeatRejected" message="the \"trainer\" seats are taken"` + "\n": `Perhaps: an event of Pod ml/llm-0 says SeatRejected: the \"trainer\" seats are taken`,
		"40s   Warning   SeatCheck   trainjob/llm   no free seat for feature trainer\n":                                                                                                                                "Perhaps: an event says SeatCheck: no free seat for feature trainer",
	} {
		if found := diagnosed(text); len(found) != 1 || found[0].Title != title {
			t.Errorf("%q: got %+v", text, found)
		}
	}
	for _, text := range []string{"  Warning  SeatCheck  2m  seats  feature trainer is used by alice\n", "  Warning  PolicyViolation  2m (x9 over 3m)  kyverno-scan  policy a/b fail: add limits\n", event + "  Normal   Started  4m  kubelet  Started container pytorch\n", "  Warning  DNSConfigForming  5m  kubelet  Nameserver limits were exceeded\n"} {
		if found := diagnosed(text); len(found) > 0 {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// A last point far above all before it, or a huge loss, may be the beginning
// of something.
func TestALossThatEndsHighIsAPossibility(t *testing.T) {
	for text, title := range map[string]string{
		"step: 1 loss: 2.5\nstep: 2 loss: 2.25\nstep: 3 loss: 2.3\nstep: 4 loss: 95.8\n":                  "Perhaps: the loss has risen, to 95.8 at step 4",
		"step: 50 loss: 1.5043 grad_norm: 3.4572\nstep: 100 loss: 63.1261 grad_norm: 31101415.6\n":        "Perhaps: the loss has risen, to 63.1 at step 100",
		"step: 7 loss: 344671968.0\nstep: 8 loss: 436317056.0\n":                                          "Perhaps: the loss has risen, to 4.36e+08 at step 8",
		"step: 1 loss: 2.5\nstep: 2 loss: 2.25\nstep: 3 loss: 2.3\nstep: 4 loss: 9.8\n":                   "",
		"{'loss': inf, 'learning_rate': 0.0, 'epoch': 0.07692307692307693}\n":                             "Perhaps: the loss is not a number: +Inf at epoch 0.0769",
		"step: 1 loss: 2.5\nstep: 2 loss: 95.8\n":                                                         "",
		"step: 1 loss: 2.5\nstep: 2 loss: 2.6\nstep: 3 loss: 6.1\nstep: 4 loss: 7.8\nstep: 5 loss: 7.2\n": "Perhaps: the loss has risen, to 7.2 at step 5",
		"step: 1 loss: 2.5\nstep: 2 loss: 2.6\nstep: 3 loss: 6.1\nstep: 4 loss: 7.8\nstep: 5 loss: 2.9\n": "",
		// Megatron-LM: means over global batches
		" iteration 7000/ 159576 | lm loss: 6.444662E+00 | grad norm: 98258.265 |\n iteration 7010/ 159576 | lm loss: 1.142026E+01 | grad norm: 219645.978 |\n":                                                                 "Perhaps: the loss has risen, to 11.4 at step 7010",
		" iteration 7000/ 159576 | lm loss: 6.444662E+00 |\n iteration 7010/ 159576 | lm loss: 1.142026E+01 |\n iteration 7220/ 159576 | lm loss: 7.155109E+00 |\n":                                                             "Perhaps: the loss has risen, to 7.16 at step 7220",
		" iteration 6920/ 159576 | lm loss: 7.314456E+00 |\n iteration 6930/ 159576 | lm loss: 9.121927E+00 |\n iteration 6940/ 159576 | lm loss: 1.023865E+01 |\n":                                                             "Perhaps: the loss has risen, to 10.2 at step 6940",
		" iteration 31216/ 115311 | lm loss: 2.595213E+00 |\n iteration 31219/ 115311 | lm loss: 5.098124E+00 |\n iteration 31250/ 115311 | lm loss: 2.215699E+00 |\n":                                                          "",
		" iteration 10/ 159576 | lm loss: 1.042026E+01 |\n iteration 20/ 159576 | lm loss: 8.155109E+00 |\n iteration 30/ 159576 | lm loss: 8.855109E+00 |\n iteration 40/ 159576 | lm loss: 7.155109E+00 | grad norm: 2.1 |\n": "",
	} {
		found := diagnosed(text)
		switch {
		case title == "" && len(found) > 0:
			t.Errorf("%q: got %+v", text, found)
		case title == "":
		case len(found) != 1 || found[0].Cause != "loss-spike" && !strings.Contains(title, "not a number") || found[0].Severity != train.SeverityInfo || found[0].Title != title:
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// An exception without a known message takes the cause that it names itself,
// and keeps its text as title.
func TestAnExceptionIsNarrowedByItsWords(t *testing.T) {
	traceback := func(last string) string {
		return "Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 12, in <module>\n    main()\n" + last + "\n"
	}
	found := diagnosed(traceback("RuntimeError: neuron runtime: nrt_open failed with status 7"))
	if len(found) == 0 || found[0].Cause != "neuron-init-failed" || found[0].Severity != train.SeverityError || found[0].Confidence != train.Likely || !strings.Contains(found[0].Title, "nrt_open failed with status 7") {
		t.Errorf("got %+v", found)
	}
	found = diagnosed(traceback("RuntimeError: 显存不足，请减小 batch size"))
	if len(found) == 0 || found[0].Cause != "cuda-out-of-memory" || found[0].Severity != train.SeverityError || found[0].Confidence != train.Likely {
		t.Errorf("got %+v", found)
	}
	for _, own := range []string{"ValueError: the moon is full", "RuntimeError: 训练失败", "TypeError: __init__() got an unexpected keyword argument 'checkpoint'", "ValueError: invalid dataset: size is negative"} {
		if found := diagnosed(traceback(own)); len(found) == 0 || found[0].Cause != "python-exception" {
			t.Errorf("%s: got %+v", own, found)
		}
	}
}

// TestAMessageBelowItsExceptionNarrows checks messages whose words are below the colon.
func TestAMessageBelowItsExceptionNarrows(t *testing.T) {
	for text, want := range map[string]train.Cause{
		"grpc._channel._InactiveRpcError: <_InactiveRpcError of RPC that terminated with:\n\tstatus = StatusCode.UNAVAILABLE\n\tdetails = \"failed to connect to all addresses\"\n": "rendezvous-timeout",
		"Traceback (most recent call last):\n  File \"t.py\", line 3, in f\n    g()\nValueError: these are wrong:\nthe data loader was closed\n":                                    "python-exception",
	} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause != want {
			t.Errorf("%q: got %+v, want %s", text, found, want)
		}
	}
}

// An exception that demands something of the program's own values, or whose words only
// contain those of a cause of the cluster, stays an exception.
func TestAnExceptionAboutValuesIsNoFault(t *testing.T) {
	for text, want := range map[string]train.Cause{
		// Accelerate, DeepSpeed, Lightning and Megatron-LM as of 2026
		"AssertionError: Each process did not have two items. Process index: 1; Length: 3":                               "python-exception",
		"AssertionError: shard_bucket_index must be provided if item_index_map or bucket_index is provided":              "python-exception",
		"AssertionError: Index file doesn't match expected format. Make sure that --dataset-impl is configured properly": "python-exception",
		"ValueError: fp16.loss_scale must be a finite number (not inf/-inf/nan)":                                         "python-exception",
		"ValueError: Invalid combination of p2p_communicator, pg_collection provide none or all the process groups":      "python-exception",
		"ValueError: The arguments `process_group` and `device_mesh` are mutually exclusive. Pass only one of them.":     "python-exception",
		"AssertionError: Fake process group is not supported with flex token dispatcher.":                                "python-exception",
		"ValueError: moe_zero_copy requires moe_capacity_factor: the nccl buffers are fixed and cannot be resized":       "python-exception",
		"ValueError: Streaming with Hugging Face fast tokenizers requires tokenizers>=0.22.0.":                           "python-exception",
		"ValueError: Environment variable `WORLD` not found. Make sure you run your executable with `jsrun`.":            "python-exception",
		"ValueError: Unknown grad_norm_group '3'. Register it before tagging parameters with it.":                        "python-exception",
		"AssertionError: Empty GPUs were detected but not enough to expand.":                                             "python-exception",
		"RuntimeError: Data size mismatch: 3 != 4":                                                                       "python-exception",
		"AssertionError: Not enough memory in buffer. Allocation failed":                                                 "python-exception",
		"RuntimeError: Could not find RANK in the environment, visit https://www.colossalai.org/ for more information":   "python-exception",
		"ValueError: Found multiple FSDP modules in the given state. Saving checkpoints with FSDP is currently limited to a single model per checkpoint. To save multiple models, call the save method for each model separately with a different path.": "python-exception",
		"ValueError: Matrix U size mismatch: torch.Size([8, 4]) vs. (8, 2), please file an issue at https://github.com/huggingface/peft/issues.":                                                                                                         "python-exception",
		"ValueError: Invalid number of TPU chips 3":                                          "python-exception",
		"ValueError: Could not parse the selected TPU devices: 9":                            "python-exception",
		"AssertionError: data iterator has different length than checkpointed data iterator": "python-exception",
		"RuntimeError: Non-persistent checkpoint can't be a release checkpoint":              "python-exception",
		// and those that name what failed
		"RuntimeError: the process group of rank 3 timed out":                                      "rendezvous-timeout",
		"RuntimeError: nccl helper failed on channel 4":                                            "nccl-init-failure",
		"RuntimeError: the kernel hit a device-side assert":                                        "device-side-assert",
		"ValueError: the DeepSpeed config is invalid, it must be a path":                           "deepspeed-init",
		"ApiException: (403) pods are forbidden: cannot create resource pods in the API group":     "rbac-forbidden",
		"OSError: object storage: the bucket does not exist":                                       "dataset-download-failure",
		"RuntimeError: (External) Nccl error, invalid data type, resource temporarily unavailable": "nccl-init-failure",
	} {
		found := diagnosed("Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 12, in <module>\n    main()\n" + text + "\n")
		if len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s: got %+v, want %s", text, found, want)
		}
	}
}

// TestWhatAnExceptionMisses checks the wordings of a package that is not installed, and of a
// FileNotFoundError whose own words say what is missing.
func TestWhatAnExceptionMisses(t *testing.T) {
	for text, want := range map[string]train.Cause{
		// Megatron-LM, DeepSpeed, JAX, PEFT, TRL and datasets as of 2026
		"AssertionError: nvtx is not available in CUDA platform. Please 'pip3 install nvtx'":                                                             "python-import-error",
		"RuntimeError: psutil is not installed, please install it with `pip install psutil`":                                                             "python-import-error",
		"AssertionError: get_logical_hybrid_fsdp_rank requires einops to be installed.":                                                                  "python-import-error",
		"ValueError: MSAMP was selected, but it is not installed on this machine.":                                                                       "python-import-error",
		"ValueError: `visualize_sharding` requires `rich` to be installed.":                                                                              "python-import-error",
		"RuntimeError: cupy is not available. Please install cupy to use KernelLauncher.":                                                                "python-import-error",
		"RuntimeError: launcher 'pdsh' not installed.":                                                                                                   "python-exception",
		"ValueError: Trying to load old OFT checkpoint, which is no longer supported. Please install PEFT <= v0.15.2 to load it or train a new adapter.": "python-exception",
		// DeepSpeed, Orbax, Composer and datasets as of 2026
		"FileNotFoundError: Missing ZeRO optimizer checkpoint for rank 8":                                                             "checkpoint-missing",
		"FileNotFoundError: can't find model states file at '/ckpt/a'":                                                                "checkpoint-missing",
		"FileNotFoundError: No files found under 'auto' in bucket 'auto'.":                                                            "dataset-download-failure",
		"FileNotFoundError: Object not found: a/b.tar":                                                                                "dataset-download-failure",
		"FileNotFoundError: No such file: '/data/a'. Expected to load a `Dataset` object but provided path is not a `Dataset`.":       "file-not-found",
		"FileNotFoundError: File not found at a. If `data` is a string, it must either be a URL or a path to a local file.":           "file-not-found",
		"FileNotFoundError: [Errno 2] No such file or directory: '/checkpoints/objects/a.yaml'":                                       "file-not-found",
		"FileNotFoundError: Directory '/runs/checkpoint-4' doesn't exist":                                                             "file-not-found",
		"RuntimeError: Checkpoint commit timed out after 600 seconds. Process alive: True":                                            "checkpoint-write-failed",
		"RuntimeError: There are currently no available devices found, must be one of 'XPU', 'CUDA', 'MLU', 'NPU', 'MUSA', or 'HPU'.": "no-gpu-visible",
		"RuntimeError: Blocked attention requires CUDA compute capability >= 8.0":                                                     "cuda-arch-mismatch",
		"AssertionError: Number of heads (12) must be divisible by the sequence parallel size (8)!":                                   "parallel-sizes-mismatch",
		"ValueError: World size 12 does not equal the product of the specified parallelism degrees 8.":                                "parallel-sizes-mismatch",
	} {
		found := diagnosed("Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 12, in <module>\n    main()\n" + text + "\n")
		if len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s: got %+v, want %s", text, found, want)
		}
	}
}

// Where no wording is known, the last line that its program marks as an error is quoted
// as a possibility; lines that report that the program goes on are not.
func TestLinesMarkedAsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"starting\n[2024-05-01T10:00:00.000] error: gres/gpu: Node gpu3 count reported lower than configured (7 < 8)\n": "gres/gpu: Node gpu3",
		"mytool: fatal: the frobnicator has no flux left\n":                                                             "no flux left",
		"ERROR - the frobnicator has no flux\nERROR - the second one has none either\n":                                 "the second one",
		// github.com/facebookresearch/hydra/issues/1192
		"2020-12-10 22:19:38 | ERROR | fairseq.dataclass.utils | Error when composing. Overrides: ['common.no_progress_bar=False']\n":                                         "Error when composing",
		"2024-05-01 10:00:00,123 - train.main - ERROR - the frobnicator has no flux\n":                                                                                        "no flux",
		"2024-05-01 10:00:00.123 | ERROR    | __main__:<module>:12 - the frobnicator has no flux\n":                                                                           "no flux",
		"24/05/01 10:00:00 ERROR Frobnicator: the fifth one has no flux\n":                                                                                                    "no flux",
		"ERROR:train.main:the frobnicator has no flux\n":                                                                                                                      "no flux",
		"[ERROR|trainer.py:12] 2024-05-01 10:00:00,123 >> the frobnicator has no flux\n":                                                                                      "no flux",
		"2024-05-01 10:00:00,123 - train.main - INFO - the frobnicator has no ERROR - so far\n":                                                                               "",
		"2024-05-01 10:00:00.123 | ERROR    | __main__:<module>:12 - the frobnicator slipped, retrying in 3 s\n":                                                              "",
		"2024-05-01 10:00:00,123 - train.main - ERROR - no checkpoint provided, training from scratch\n":                                                                      "",
		"error: the frobnicator slipped, retrying in 3 s\n":                                                                                                                   "",
		"errors: 0, warnings: 2 in the frobnicator\n":                                                                                                                         "",
		"the error of the fit is 0.3 now\n":                                                                                                                                   "",
		"error: the frobnicator slipped\nstep 10 loss 2.3\nstep 20 loss 2.1\nstep 30 loss 2.0\n":                                                                              "",
		"[2020-09-30 05:44:29,923] {launcher.py:42} ERROR - the frobnicator has no flux\n":                                                                                    "no flux",
		"E1211 21:40:38.530912       1 training.go:112] no flux in the frobnicator\n":                                                                                         "no flux",
		"May 14 16:38:35 node-15 kubelet[15990]: E0514 16:38:35.955650   15990 frob.go:77] \"no flux in it\"\n":                                                               "no flux",
		"2024-12-29T11:17:12Z\tERROR\tfrobnicating\t{\"error\": \"no flux in it\"}\n":                                                                                         "no flux",
		"time=\"2023-01-20T10:22:19Z\" level=error msg=\"no flux in the frobnicator\"\n":                                                                                      "no flux",
		"{\"level\":\"error\",\"msg\":\"no flux in the frobnicator\"}\n":                                                                                                      "no flux",
		"E1211 21:40:38.530912       1 c.go:112] Operation is off: the object has been modified; please apply your changes\n":                                                 "",
		"I1211 21:40:38.530912       1 c.go:112] Detected a platform: /sys/soc0/family file not found\nE1211 21:40:39.530912       1 c.go:113] the frobnicator has no flux\n": "no flux",
		"time=\"2023-01-20T10:22:19Z\" level=info msg=\"no error of the frobnicator\"\n":                                                                                      "",
		"02:05:06 AM  [ERROR] the frobnicator has no flux for 'a'\n":                                                                                                          "no flux",
	} {
		found := diagnosed(text)
		switch {
		case want == "" && len(found) > 0:
			t.Errorf("%s: got %+v", text, found)
		case want != "" && (len(found) != 1 || found[0].Severity != train.SeverityInfo || !strings.Contains(found[0].Title, want)):
			t.Errorf("%s: got %+v, want %q", text, found, want)
		}
	}
}

// pytest prints the exception of a test that failed behind its own signs; others quote the
// message of an exception without its name.
func TestExceptionsWithoutTheirName(t *testing.T) {
	for text, want := range map[string]train.Cause{
		// github.com/AI-Hypercomputer/maxtext/pull/3082
		"FAILED tests/ckpt_test.py::test_restore - ValueError: sharding passed to deserialization should be specified\n": "python-exception",
		"E   ValueError: the frobnicator has no flux\n":                                                                  "python-exception",
		// github.com/verl-project/verl/issues/4308
		"'NoneType' object has no attribute 'result'\n": "python-exception",
		"E   assert 3 == 4\n":                           "",
		"PASSED tests/ckpt_test.py::test_restore\n":     "",
	} {
		found := diagnosed(text)
		if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || found[0].Cause != want) {
			t.Errorf("%s: got %+v, want %q", text, found, want)
		}
	}
}

// The image of an exception's words is no container's.
func TestExceptionsAboutNoContainerImage(t *testing.T) {
	for last, want := range map[string]train.Cause{
		"ValueError: UNAVAILABLE: Error reading \"ckpt/params/manifest.ocdbt\" in OCDBT database at gs://bucket/run/: CURL error[28]: Timeout was reached": "dataset-download-failure",
		"RuntimeError: image batch 3 was not found":                              "python-exception",
		"RuntimeError: failed to pull image r.example.com/train:1: unauthorized": "image-pull-unauthorized",
	} {
		if found := diagnosed("Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 12, in <module>\n    main()\n" + last + "\n"); len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s: got %+v, want %s", last, found, want)
		}
	}
}

// A file system over an object storage turns its answer 403 into an error without a number.
func TestRightsOfBucketsAsFiles(t *testing.T) {
	for text, want := range map[string]train.Cause{
		raised("s3fs/core.py", "PermissionError: Access Denied"):                              "dataset-download-failure",
		raised("s3fs/core.py", "PermissionError: [Errno 13] Permission denied: '/tmp/cache'"): "permission-denied",
		raised("pathlib/core.py", "PermissionError: Access Denied"):                           "python-exception",
	} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s: got %+v, want %s", text, found, want)
		}
	}
}

// A screen draws a frame before events, and sorts them by more than one of their times.
func TestEventsInAFrame(t *testing.T) {
	const placed = "│   Warning  FailedScheduling    4m36s  default-scheduler  0/3 nodes are available: 3 pod has unbound immediate PersistentVolumeClaims.  │\n" +
		"│   Normal   Scheduled           4m21s  default-scheduler  Successfully assigned ml/train-0 to gpu-1  │\n" +
		"│   Normal   NotTriggerScaleUp   4m30s  cluster-autoscaler  pod didn't trigger scale-up: 1 pod has unbound immediate PersistentVolumeClaims  │\n"
	const attach = "│   Warning  FailedAttachVolume  20s (x2 over 2m21s)  attachdetach-controller  AttachVolume.Attach failed for volume \"pv\" : Attach timeout for volume /disks/x  │\n"
	if found := diagnosed(placed + attach); len(found) == 0 || found[0].Cause != "csi-driver-missing" {
		t.Errorf("attached too late: %+v", found)
	}
	if found := diagnosed(placed); len(found) > 0 && found[0].Severity != train.SeverityInfo {
		t.Errorf("placed: %+v", found)
	}
}

// A level in capitals behind the time of a line marks an error in the log of any program, and
// a recorded event of type Warning is one in the log of any controller
// (NVIDIA/cudf-spark-examples#346, kubeflow/spark-operator#1658).
func TestLevelsAndRecordedEvents(t *testing.T) {
	const lost = "TaskSchedulerImpl - Lost executor 0 on 10.0.0.11: Remote RPC client disassociated.\n"
	const event = "I1221 05:43:21.925839       9 event.go:282] Event(v1.ObjectReference{Kind:\"SparkApplication\", Namespace:\"spark-operator\", Name:\"spark-stream\", UID:\"704c4b19\", FieldPath:\"\"}): type: '"
	const says = "' reason: 'SparkExecutorFailed' Executor [spark-stream-3394cd8533264232-exec-3 %!s(int32=1) Error] failed with ExitCode: %!d(MISSING)\n"
	for text, want := range map[string]string{
		"02:13:07.175 ERROR " + lost: "Lost executor 0",
		"02:13:07.175 INFO " + lost:  "",
		// bootphon/abkhazia#2: of a program that a run passes on
		"2017-07-03 20:50:01,205 - DEBUG - ERROR (feat-to-len:kaldi-table-inl.h:1165) Error closing the table\n": "",
		"02:13:07.175 the error rate of the stage: 0.3\n":                                                        "",
		event + "Warning" + says: "an event of SparkApplication spark-stream says SparkExecutorFailed: ",
		event + "Normal" + says:  "",
	} {
		found := diagnosed(text)
		if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || found[0].Cause != "application-error" || !strings.Contains(found[0].Title, want)) {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// The line above a traceback may name what its program caught (Bartzi/see#23,
// chainer).
func TestTheHeadOfATraceback(t *testing.T) {
	const traceback = "Traceback (most recent call last):\n  File \"trainer.py\", line 299, in run\n    update()\n"
	for head, want := range map[string]train.Cause{
		"Exception in main training loop: out of memory to allocate 747110400 bytes (total 5722942464 bytes)\n": "cuda-out-of-memory",
		"Exception in main training loop: the shard is out of order\n":                                          "python-exception",
	} {
		if found := diagnosed(head + traceback); len(found) != 1 || found[0].Cause != want {
			t.Errorf("%q: got %+v", head, found)
		}
	}
}
