package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestSSHLibraries checks messages of paramiko and Invoke, by which launchers in Python
// (ColossalAI, Fabric, Ray's cluster launcher) start processes on other hosts.
func TestSSHLibraries(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"Error: failed to run torchrun --nnodes=2 train.py on gpu-2, is localhost: False, exception: No authentication methods available":                   "mpi-launcher-ssh-failure",
		"Error: failed to run torchrun --nnodes=2 train.py on gpu-2, is localhost: False, exception: not a valid RSA private key file":                      "mpi-launcher-ssh-failure",
		"Error: failed to run torchrun --nnodes=2 train.py on gpu-2, is localhost: False, exception: [Errno None] Unable to connect to port 22 on 10.0.0.2": "mpi-launcher-ssh-failure",
		"paramiko.ssh_exception.SSHException: not a valid OPENSSH private key file":                                                                         "mpi-launcher-ssh-failure",
		"paramiko.ssh_exception.SSHException: Error reading SSH protocol banner":                                                                            "mpi-launcher-ssh-failure",
		"paramiko.ssh_exception.PasswordRequiredException: Private key file is encrypted":                                                                   "mpi-launcher-ssh-failure",
		"paramiko.ssh_exception.AuthenticationException: Authentication failed.":                                                                            "mpi-launcher-ssh-failure",
		"Error: failed to run torchrun --nnodes=1 train.py on gpu-2, is localhost: True, exception: Encountered a bad command exit code!":                   "torchrun-child-failed",
		"INFO: Authentication (publickey) successful!":                                                                                                      "",
		"wandb: Authentication failed. Try again":                                                                                                           "",
	})
}

// TestClientsOfStorage checks what clients of object storage report in languages and
// frameworks besides Python's own clients.
func TestClientsOfStorage(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"Error executing an HTTP request: HTTP response code 404 with body '{":                                      "dataset-download-failure",
		"errors_impl.PermissionDeniedError: Error executing an HTTP request: HTTP response code 403 with body '{":   "dataset-download-failure",
		"Error executing an HTTP request: libcurl code 6 meaning 'Couldn't resolve host name', error details: none": "dataset-download-failure",
		"All attempts to get a Google authentication bearer token failed, returning an empty token. Retrieving token from GCE failed with \"FAILED_PRECONDITION: Error executing an HTTP request: libcurl code 6 meaning 'Couldn't resolve host name', error details: Could not resolve host: metadata\".": "",
		"E1201 07:46:18.467789 fuse: *fuseops.CreateFileOp error: permission denied":            "permission-denied",
		"fuse: 2023/12/01 07:46:18.467789 *fuseops.MkDirOp error: permission denied":            "permission-denied",
		`{"severity":"ERROR","message":"fuse: *fuseops.FlushFileOp error: input/output error"}`: "storage-hang",
		"fuse: *fuseops.ReadFileOp error: transport endpoint is not connected":                  "storage-hang",
		"fuse: *fuseops.LookUpInodeOp error: no such file or directory":                         "",
		"429 Client Error: Too Many Requests for url: https://huggingface.co/api/models/x":      "dataset-download-failure",
		"403 Client Error: Forbidden for url: https://huggingface.co/api/models/x":              "hf-hub-auth",
	})
}

// TestWaitsForPeers checks what parameter servers, trackers and Ray print while they wait
// for others.
func TestWaitsForPeers(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"I tensorflow/core/distributed_runtime/master.cc:193] CreateSession still waiting for response from worker: /job:worker/replica:0/task:12": "rendezvous-timeout",
		"I tensorflow/core/distributed_runtime/master.cc:267] CreateSession still waiting for response from worker: /job:ps/replica:0/task:0":      "rendezvous-timeout",
		"WARNING: ../rabit/src/allreduce_base.cc:240: Retry connect to ip(retry time 4): [10.0.0.1]":                                               "rendezvous-timeout",
		"Socket Connect Error:Connection refused":                                       "rendezvous-timeout",
		"Socket Connect Error:Connection timed out":                                     "rendezvous-timeout",
		"Socket Recv Error:Connection reset by peer":                                    "nccl-connection-lost",
		"Socket options are set":                                                        "",
		"ray.exceptions.RpcError: Timed out while waiting for GCS to become available.": "ray-worker-died",
		"[2025-01-01 00:00:00,000 E 1 1] gcs_client.cc:50: Failed to connect to GCS at address 10.0.0.1:6379 within 5 seconds.": "ray-worker-died",
		"grpc_tpu_driver.cc:1070] Failed to open the gRPC driver: 4: Deadline Exceeded: ":                                       "tpu-init",
	})
}

// TestDriverWithoutXid checks what NVIDIA's driver reports of a GSP that does not answer.
func TestDriverWithoutXid(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"NVRM: GPU6 _kgspIsHeartbeatTimedOut: Heartbeat timed out, currentTimeMs 812751949 heartbeat 1899482":        "gpu-xid-error",
		"NVRM: _kgspLogRpcTimeout: ********************************* GSP Timeout **********************************": "gpu-xid-error",
		"NVRM: GPU0 _kgspRpcRecvPoll: GSP RM heartbeat timed out":                                                    "gpu-xid-error",
		"NVRM: GPU at PCI:0000:07:00: GPU-fb51809b-350a-99db-67b5-e16fc6d498ab":                                      "",
		"NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  595.71.05":                                         "",
	})
}

// TestKeysOfOldPyTorch checks PyTorch's messages about keys before 0.4.
func TestKeysOfOldPyTorch(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		`KeyError: 'unexpected key "sub_mean.weight" in state_dict'`:             "checkpoint-shape-mismatch",
		`KeyError: 'missing keys in state_dict: "{\'fc.bias\', \'fc.weight\'}"'`: "checkpoint-shape-mismatch",
		"unexpected key in source state_dict: fc.weight, fc.bias":                "",
		"missing keys in source state_dict: layer1.0.bn1.num_batches_tracked":    "",
		`KeyError: 'state_dict'`: "python-exception",
	})
}

// Names of options that a quoted command contains are no words about what went wrong.
func TestHintsIgnoreOptions(t *testing.T) {
	for line, want := range map[string]train.Cause{
		"Error: failed to run train.py --ckpt-path out/last --rdzv_backend=c10d on gpu-2: gave up": "",
		"error while starting: worker --s3-bucket data --nccl-timeout 600":                         "",
		"rendezvous failed: job --rdzv_backend=c10d":                                               "rendezvous-timeout",
	} {
		if got, _, _ := Hint(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// A collector writes a time before the prefix of a launcher, and Determined a container.
func TestPrefixesBehindTimes(t *testing.T) {
	for line, want := range map[string]struct {
		rank int
		text string
	}{
		"2021-03-10T13:22:37.434Z: [1,0]<stderr>:OSError: x":                 {0, "OSError: x"},
		"2021-03-10 13:22:37,434 node-1 [1,12]<stdout>:step 1":               {12, "step 1"},
		"<info>    [2021-12-07 10:43:01] 087c0ee7 || Process name: 1":        {-1, "Process name: 1"},
		"[2021-12-07T10:43:01.123Z] 087c0ee7 || RuntimeError: x":             {-1, "RuntimeError: x"},
		"<>        [2021-12-07 10:43:01] 087c0ee7 [rank=3] || ValueError: x": {3, "ValueError: x"},
		"a | table || of text":                       {-1, "a | table || of text"},
		"see [1]<https://example.com> and <stderr>:": {-1, "see [1]<https://example.com> and <stderr>:"},
	} {
		if p := unprefix([]byte(line)); p.rank != want.rank || string(p.text) != want.text {
			t.Errorf("%s: rank %d, %q", line, p.rank, p.text)
		}
	}
}

// TestLaunchersWithoutPlaces checks what launchers and autoscalers report where the machines
// are too few, or were taken away.
func TestLaunchersWithoutPlaces(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"A sequential map was requested, but not enough node entries":                                                                    "mpi-launcher-ssh-failure",
		"Your job has requested more processes than the ppr for":                                                                         "mpi-launcher-ssh-failure",
		"All nodes which are allocated for this job are already filled.":                                                                 "mpi-launcher-ssh-failure",
		"There are no allocated resources for the application:":                                                                          "mpi-launcher-ssh-failure",
		"I 12-10 21:39:39 controller.py:118] Cluster is preempted (status: INIT). Recovering...":                                         "spot-interruption",
		"The job cluster is preempted or failed.":                                                                                        "spot-interruption",
		"Whenever the spot cluster is preempted and recovered, the status is reset":                                                      "",
		"launching nodeclaim, insufficient capacity, all requested instance types were unavailable":                                      "autoscaler-not-scaling-up",
		`"error":"insufficient capacity, with fleet error(s), UnfulfillableCapacity"`:                                                    "autoscaler-not-scaling-up",
		"  VMEventScheduled  True  Sat, 01 Aug 2026 05:40:35 +0000  VMEventScheduled  Preempt Scheduled: Sat, 01 Aug 2026 05:41:02 GMT.": "spot-interruption",
		"  PreemptionScheduled  False  Sat, 01 Aug 2026 05:40:35 +0000  NoPreemptionScheduled  VM has no preemption scheduled":           "",
		"the queue has insufficient capacity, 3 jobs wait":                                                                               "",
		"Number of trials: 1/1 (1 ERROR)":                                                                                                "application-error",
		"Number of trials: 10/10 (2 ERROR, 3 RUNNING, 5 TERMINATED)":                                                                     "application-error",
		"Number of trials: 10/10 (3 PENDING, 2 ERROR, 5 TERMINATED)":                                                                     "application-error",
		"Number of errored trials: 2":                                                                                                    "application-error",
		"Number of errored trials: 0":                                                                                                    "",
		"Number of trials: 976 (3 RUNNING, 973 TERMINATED)":                                                                              "",
	})
}
