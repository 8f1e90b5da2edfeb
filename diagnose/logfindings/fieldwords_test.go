package logfindings_test

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestWordsOfTheField checks that exceptions, commands and components of a cluster name a
// cause in their own words, in forms that programs of the field have. The texts are written
// for this test in the wordings of the components, unless a line names its origin.
func TestWordsOfTheField(t *testing.T) {
	for text, want := range map[string]train.Cause{
		// exceptions of training programs
		"ValueError: Total number of attention heads (28) must be divisible by tensor parallel size (8).\n":        "parallel-sizes-mismatch",
		"ValueError: the model wants 9000 tokens, more than the KV cache can hold: it is larger than the memory\n": "cuda-out-of-memory",
		"AssertionError: num_layers value from checkpoint (24) is not equal to the input argument value (32).\n":   "checkpoint-shape-mismatch",
		"RuntimeError: worker-1 was not reachable via ssh, is passwordless ssh set up?\n":                          "mpi-launcher-ssh-failure",
		"RuntimeError: ptxas 11.1 is older than 11.1.105\n":                                                        "cuda-driver-mismatch",
		"OSError: [WinError 126] The specified module could not be found.\n":                                       "python-import-error",
		"OSError: [WinError 1455] The paging file is too small for this operation to complete.\n":                  "oom-killed",
		"Error: reading shard 3: bad disk answer (os error 5)\n":                                                   "storage-hang",
		"Exception has occurred: XlaRuntimeError\nINTERNAL: the library was not initialized\n":                     "python-exception", // google/flax#4054
		"│ ValueError: too many values to unpack (expected 2)          │\n":                                        "python-exception",

		// commands and other programs
		"'deepspeed' is not recognized as an internal or external command,\noperable program or batch file.\n": "command-not-found",
		"/usr/bin/ld: cannot find -lcudart\ncollect2: error: ld returned 1 exit status\n":                      "extension-build-failed",
		"ResolvePackageNotFound: \n  - cudatoolkit=11.3\n":                                                     "python-import-error",
		"git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n":      "dataset-download-failure",
		"--2021-04-20 18:34:51--  https://x/y.sh\n2021-04-20 18:34:53 ERROR 404: Not Found.\n":                 "dataset-download-failure", // mlcommons/training_results_v0.5#15
		"batch response: This repository is over its data quota.\n":                                            "dataset-download-failure",
		"Couldn't open file: data/coco.names\n":                                                                "file-not-found",
		"CUDA Error: out of memory\ndarknet: ./src/utils.c:256: error: Assertion `0' failed.\n":                "cuda-out-of-memory",
		// dask/dask-lightgbm#22
		"[LightGBM] [Fatal] GPU Tree Learner was not enabled in this build.\nPlease recompile with CMake option -DUSE_GPU=1\n": "application-error",
		"##[error]Bash exited with code '1'.\n":                                                    "application-error",
		"npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\n":                                             "application-error",
		"docker: Error response from daemon: Conflict. The container name \"/train\" is in use.\n": "application-error",
		// LilyDaytoy/OpenPVSG#17
		"srun: error: Munge encode failed: Failed to access \"/var/run/munge/munge.socket.2\": No such file or directory\n": "application-error",

		// components of a cluster: an address inside it holds no data
		"E0501 10:00:00.000000       1 leaderelection.go:330] error retrieving resource lock kube-system/kube-scheduler: Get \"https://10.0.0.1:6443/apis\": dial tcp 10.0.0.1:6443: connect: connection refused\n": "application-error",
		"Jan 03 01:49:48 n localkube[30646]: kubelet: Exit with error: failed to run Kubelet: misconfiguration: kubelet cgroup driver: \"cgroupfs\" is different\n":                                                 "node-not-ready", // kubernetes/minikube#2381
		"NodeCreationFailure: Instances failed to join the kubernetes cluster\n":                                                                                                                                    "autoscaler-not-scaling-up",
		"failed to provision volume: VolumeLimitExceeded: You have exceeded your maximum gp3 storage limit\n":                                                                                                       "provisioning-failed",
		"NAME      READY   STATUS         RESTARTS   AGE\ntrain-0   0/1     NodeShutdown   0          3h\n":                                                                                                         "spot-interruption",
		"NAME      READY   STATUS                 RESTARTS   AGE\ntrain-0   0/1     CreateContainerError   0          3m\n":                                                                                         "application-error",
		"  Message: pod deleted\n  Phase:   Error\n": "application-error",
	} {
		found := diagnosed(text)
		if len(found) == 0 || found[0].Cause != want {
			t.Errorf("%q: got %+v, want %s", text, found, want)
		}
	}
}

// TestNearMissesOfTheField checks lines beside those above that are no failure.
func TestNearMissesOfTheField(t *testing.T) {
	for _, text := range []string{
		"NAME     STATE       AGE\nresnet   Succeeded   20m\n",
		"KV cache: 51200 tokens, more than the model's 4096\n",
		"Get \"https://10.0.0.1:6443/healthz\": 200\n",
		"world size 8 is divisible by tensor parallel size 4\n",
		"│ Trainer │ ready │\n",
	} {
		if found := diagnosed(text); len(found) > 0 {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}
