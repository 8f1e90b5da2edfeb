package logfindings_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestLastLineOfATraceback checks that an exception is found whose last line was pasted
// alone, whatever its name, and that nothing else with a colon is one.
func TestLastLineOfATraceback(t *testing.T) {
	for text, want := range map[string]train.Cause{
		"FileExistsError: [Errno 17] File exists: '/000006_locals'":          "python-exception",
		"BlockingIOError: [Errno 11] Resource busy":                          "python-exception",
		"mylab.pipeline.stages.ShardOrderError: shard 7 came before shard 6": "python-exception",
		"recipes.core.BadRecipe: step 3 has no optimizer":                    "python-exception",
		"[rank3]: mylab.ShardOrderError: shard 7 came before shard 6":        "python-exception",
		"AssertionError": "python-exception",
		"RuntimeError: \n        The kernel cache of this run was made by another version\n": "python-exception",
		"some words of the person\n\nmylab.ShardOrderError: shard 7\n":                       "python-exception",
		"mylab.StoreError: checkpoint is corrupt: unexpected end":                            "checkpoint-corrupt",

		// github.com/huggingface/datasets/issues/5531: pyarrow's classes
		"ArrowInvalid: Column 2: In chunk 1: Invalid: Struct child array #3 invalid": "python-exception",
		// github.com/ray-project/ray/issues/47974: an example is not what happened, and the message has
		// lines of its own
		"TrainingFailedError: The Ray Train run failed. Please inspect the previous error messages for a cause (assuming that the error is an error such as OOM), you can restart the run.\nTo continue this run, you can use: trainer = TorchTrainer.restore(\"/efs/llm\").\nTo start a new run, set max_failures.": "python-exception",
		"StoreFailure: the shard is not there\nsee the page of the store":  "",
		"note of the run\nMemoryPlanError: the GPU ran out of memory\nbye": "cuda-out-of-memory",

		// github.com/flwrlabs/flower/issues/4300 and 1921: the line above raises it; grpc's own class
		"    raise GrpcBridgeClosed()\nflwr.server.superlink.fleet.grpc_bidi.grpc_bridge.GrpcBridgeClosed": "python-exception",
		"    raise GrpcBridgeClosed()\nflwr.server.superlink.fleet.grpc_bidi.grpc_bridge.GrpcBridge":       "",
		"grpc._channel._MultiThreadedRendezvous: <_MultiThreadedRendezvous of RPC that terminated with:":   "python-exception",
		"grpc._channel._multi: the channel is open":                                                        "",

		"Note: the run went well":                                  "",
		"UserWarning: lr_scheduler.step() before optimizer.step()": "",
		"mylab/ops.py:12: DeprecationWarning: use the new call":    "",
		"Error: \n":      "",
		"loss.Mean: 3.2": "",
		"ShardOrderError: shard 7 skipped, going on\nepoch 1 step 10 loss 2.31\nepoch 1 step 20 loss 2.20\nepoch 1 step 30 loss 2.11\n": "",
	} {
		found := diagnosed(text + "\n")
		var got train.Cause
		if len(found) > 0 {
			got = found[0].Cause
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	found := diagnosed("RuntimeError: \n        The kernel cache of this run was made by another version\n")
	if len(found) == 0 || !strings.Contains(found[0].Title, "The kernel cache") {
		t.Errorf("the message below the name is missing: %+v", found)
	}
}

// TestTheDeadlineOfACall checks that an exception about a deadline is no job that ran
// longer than it may.
// TestExceptionBehindATime checks the last line of a traceback behind the time of a collector
// (webdataset/webdataset#142).
func TestExceptionBehindATime(t *testing.T) {
	found := diagnosed("2022-01-23 02:08:36.029 raise ReadError(\"unexpected end of data\")\n2022-01-23 02:08:36.029 tarfile.ReadError: (\"unexpected end of data @ <_io.BufferedReader name='train-224-30/00000022.tar'>\",\n")
	if len(found) != 1 || found[0].Cause != "python-exception" || !strings.HasPrefix(found[0].Title, "tarfile.ReadError: ") {
		t.Errorf("got %+v", found)
	}
}

func TestTheDeadlineOfACall(t *testing.T) {
	for _, text := range []string{
		"tensorflow.python.framework.errors_impl.DeadlineExceededError: Deadline Exceeded\n",
		"Traceback (most recent call last):\n  File \"/app/train.py\", line 3, in main\n    call()\ngoogle.api_core.exceptions.DeadlineExceeded: 504 Deadline Exceeded\n",
	} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause == "active-deadline-exceeded" {
			t.Errorf("%s\n got %v", text, found)
		}
	}
}
