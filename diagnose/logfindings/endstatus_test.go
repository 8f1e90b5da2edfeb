package logfindings_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestEndsAreQuoted checks what supervisors, workflows, tables and editors report about a
// program that ended badly, where the text holds nothing else.
func TestEndsAreQuoted(t *testing.T) {
	for text, want := range map[string]train.Cause{
		// https://topofmind.dev/blog/2025/07/30, systemctl status
		"● kubelet.service - kubelet: The Kubernetes Node Agent\n     Active: activating (auto-restart) (Result: exit-code) since Wed 2025-07-30 18:21:41 UTC; 1s ago\n   Main PID: 2249230 (code=exited, status=1/FAILURE)\n": "application-error",
		"     Active: failed (Result: oom-kill) since Wed 2025-07-30 18:21:41 UTC; 1s ago\n":                      "oom-killed",
		"Jul 30 18:21:41 n1 systemd[1]: trainer.service: Main process exited, code=killed, status=9/KILL\n":       "sigkill-received",
		"Jul 30 18:21:41 n1 systemd[1]: trainer.service: Main process exited, code=dumped, status=11/SEGV\n":      "segfault",
		"2024-05-01 10:00:00,123 INFO exited: trainer (exit status 1; not expected)\n":                            "application-error",
		"2024-05-01 10:00:00,123 INFO gave up: trainer entered FATAL state, too many start retries too quickly\n": "application-error",
		"3f2a  trainer:latest  \"python train.py\"  5 minutes ago  Exited (139) 4 minutes ago   trainer\n":        "segfault",
		"Finished: FAILURE\n":                                              "application-error",
		"    Exit_status = 271\n":                                          "sigterm-received",
		"        Normal termination (return value 1)\n":                    "application-error",
		"  Command error exit status: 137\n":                               "sigkill-received",
		"Process `TRAIN (1)` terminated with an error exit status (134)\n": "abort-sigabrt",
		"[2024-05-01, 10:00:00 UTC] {local_task_job_runner.py:222} INFO - Task exited with return code 1\n":            "application-error",
		"[2024-05-01, 10:00:00 UTC] {taskinstance.py:1150} INFO - Marking task as FAILED. dag_id=train, task_id=fit\n": "application-error",
		"Process finished with exit code -1073741819 (0xC0000005)\n":                                                   "segfault",
		"\t final status: FAILED\n":                                 "application-error",
		"  \"TrainingJobStatus\": \"Failed\",\n":                    "application-error",
		"Job state: JOB_STATE_FAILED\n":                             "application-error",
		"Job ended with status 'Failed' rather than 'Completed'.\n": "application-error",
		// ray-project/ray#3328
		"Resources requested: 0/12 CPUs, 0/3 GPUs\nERROR trials:\n - MyTrainableClass_0:\tERROR, 1 failures: /r/pbt_test/error_2018-11-15_13-11-21.txt\n": "application-error",
		"| train_mnist_0 | ERROR    | 10.0.0.1:123 |\n":                                          "application-error",
		"Trial 12 failed with parameters: {'lr': 0.1} because of the following error: KeyErr.\n": "application-error",
		"The standard file /src/tools/config/common_path.sh is not present -> Exit!\n":           "file-not-found", // espnet/espnet#2278
		"worker 3 terminated unexpectedly\n":                                                     "application-error",
		// ray-project/ray#21259
		"(Tune pid=83) --------------------------------------\n(Tune pid=83) C++ Traceback (most recent call last):\n(Tune pid=83) --------------------------------------\n(Tune pid=83) 0   ray::core::CoreWorkerProcess::RunTaskExecutionLoop()\n": "application-error",
		// tensorflow/tensorflow#59072
		"2022-12-07 03:37:26.606605: W tensorflow/core/framework/op_kernel.cc:1780] OP_REQUIRES failed at strided_slice_op.cc:105 : INVALID_ARGUMENT: slice index 0 of dimension 0 out of bounds.\n": "application-error",
	} {
		found := diagnosed(text)
		if len(found) != 1 || found[0].Cause != want || found[0].Confidence != train.Possible || !strings.HasPrefix(found[0].Title, "Perhaps: ") {
			t.Errorf("%q: want %s, got %+v", text, want, found)
		}
	}
}

// TestGoodEndsAreNotQuoted checks ends that are none of a failure, and tables that list
// what ended long ago.
func TestGoodEndsAreNotQuoted(t *testing.T) {
	for _, text := range []string{
		"     Active: active (running) since Wed 2025-07-30 18:21:41 UTC; 1h ago\n    Process: 22 ExecStartPre=/bin/true (code=exited, status=0/SUCCESS)\n",
		"2024-05-01 10:00:00,123 INFO exited: trainer (exit status 0; expected)\n",
		"3f2a  trainer:latest  \"python train.py\"  5 minutes ago  Exited (0) 4 minutes ago   trainer\n",
		"3f2a  trainer:latest  \"python train.py\"  5 weeks ago  Exited (1) 4 weeks ago   trainer\n",
		"Finished: SUCCESS\n",
		"Task exited with return code 0\n",
		"Process finished with exit code 0\n",
		"[2024-03-08, 22:16:29 UTC] {local_task_job_runner.py:231} INFO - Task exited with return code 100 (task deferral)\n", // apache/airflow#38003
		"Error from server (NotFound): validatingwebhookconfigurations.admissionregistration.k8s.io \"v\" not found\n",
		"restart the worker if it exited with code 1 or 137\n",
		"final status: UNDEFINED\n",
		"2022-12-07 03:37:26.606605: W tensorflow/core/framework/op_kernel.cc:1780] OP_REQUIRES failed at iterator_ops.cc:911 : OUT_OF_RANGE: End of sequence\n",
		"[01:17:10.938]: W1024 01:17:10.936000 140404233111360 torch/_dynamo/convert_frame.py:1009] NameError: name 's4' is not defined\n", // unslothai/unsloth#1175
		"node_name: unknown because NODENAME environment variable not set\n",                                                               // mosaicml/llm-foundry#1469
	} {
		if found := diagnosed(text); len(found) > 0 {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// TestLastWordsAreNarrowed checks that the last words of programs that are none of Python's
// give the cause which they name, and that a line of severity F in Go's logs is no signal.
func TestLastWordsAreNarrowed(t *testing.T) {
	for text, want := range map[string]train.Cause{
		"F0318 14:36:08.619342   12603 create.go:83] pods \"hello-openshift2\" is forbidden: Limited to 3 pods\n":   "resource-quota-exceeded", // openshift/origin#1363
		"F0318 14:36:08.619342   12603 main.go:83] unable to read the configuration\n":                              "application-error",
		"F0318 14:36:08.619342   12603 main.cc:83] Check failed: x == y\n":                                          "abort-sigabrt",
		"time=\"2021-02-06T11:26:42Z\" level=fatal msg=\"open /data/config.yaml: no such file or directory\"\n":     "file-not-found",
		"time=\"2021-02-06T11:26:42Z\" level=fatal msg=\"exit status 2\"\n":                                         "application-error",
		"Exception in thread \"main\" java.io.FileNotFoundException: /data/train.csv (No such file or directory)\n": "file-not-found",
		"java.lang.IllegalStateException: no tracker\n":                                                             "application-error",
		"thread 'main' panicked at src/main.rs:3:5: could not open the tokenizer: No such file or directory\n":      "file-not-found",
		"thread 'main' panicked at src/main.rs:3:5: called `Option::unwrap()` on a `None` value\n":                  "application-error",
	} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause != want || found[0].Severity != train.SeverityError {
			t.Errorf("%q: want %s, got %+v", text, want, found)
		}
	}
}
