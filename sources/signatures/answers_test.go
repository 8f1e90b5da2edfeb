package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestRefusedArguments checks what parsers of arguments and configurations print before the
// program begins (argparse, jsonargparse, click, Fire, Hydra), and lines like theirs.
func TestRefusedArguments(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"train.py: error: Parser key \"trainer.strategy\": Does not validate against any of the Union subtypes": "python-exception",
		"train.py: error: --resume needs --output-dir":                                                          "python-exception",
		"Error: No such option: --cutoff_length":                                                                "python-exception",
		"Error: Invalid value for '--lr': 'x' is not a valid float.":                                            "python-exception",
		"ERROR: Could not consume arg: --local_rank=0":                                                          "python-exception",
		"Could not override 'trainer.devcies'.":                                                                 "python-exception",
		"Key 'devcies' is not in struct":                                                                        "python-exception",
		"Error merging override +model.lr=1":                                                                    "python-exception",
		"train.py: error: 3 of 40 samples were skipped":                                                         "",
		"usage: train.py [-h] [--lr LR]":                                                                        "",
		"Key 'devices' is set to 8":                                                                             "",
		"Could not override the default, using it":                                                              "",
	})
}

// TestTrackersThatRefuse checks one-line errors of experiment trackers besides wandb.
func TestTrackersThatRefuse(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"mlflow.exceptions.RestException: PERMISSION_DENIED: Permission denied":                                                                                "wandb-timeout",
		"clearml.backend_api.session.session.LoginError: Failed getting token (error 401 from http://clearml-api:8008): Unauthorized (invalid credentials)":    "wandb-timeout",
		"neptune.exceptions.NeptuneConnectionLostException: The connection to the Neptune server was lost.":                                                    "wandb-timeout",
		"COMET ERROR: The given API key abc is invalid on www.comet.com, please check it against the dashboard.":                                               "wandb-timeout",
		"mlflow.exceptions.MlflowException: API request to http://mlflow.ml:5000/api failed with exception: Max retries exceeded with url: /api/2.0/mlflow":    "wandb-timeout",
		"mlflow.exceptions.MlflowException: Changing param values is not allowed.":                                                                             "python-exception",
		"COMET ERROR: Cannot log a figure that is empty":                                                                                                       "",
		"2024/05/01 10:00:00 WARNING mlflow.utils.autologging_utils: MLflow autologging encountered a warning: connection pool is full, discarding connection": "",
	})
}

// TestAnswersOfHubsAndGit checks what downloads print that do not end in an error of HTTP.
func TestAnswersOfHubsAndGit(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"OSError: Consistency check failed: file should be of size 4976698672 but has size 1268776960 (model-00001-of-00004.safetensors).": "dataset-download-failure",
		"modelscope.hub.errors.NotExistError: The model: acme/model-7B has no revision: v1 !":                                              "dataset-download-failure",
		"ValueError: pipe:aws s3 cp s3://bucket/data/00012.tar - : exit 1 (read) {}":                                                       "dataset-download-failure",
		"fatal: could not read Username for 'https://github.com': No such device or address":                                               "dataset-download-failure",
		"fatal: Could not read from remote repository.":                                                                                    "dataset-download-failure",
		"fatal: detected dubious ownership in repository at '/workspace/repo'":                                                             "permission-denied",
		"OSError: Unable to open file (unable to lock file, errno = 37, error message = 'No locks available')":                             "storage-hang",
		"ValueError: pipe:zcat /data/00012.tar.gz : exit 1 (read) {}":                                                                      "python-exception",
		"warning: redirecting to https://github.com/acme/repo.git/":                                                                        "",
	})
}

// TestContainersOfEnroot checks what enroot reports about an image through Slurm's pyxis,
// and how slurmstepd ends a step.
func TestContainersOfEnroot(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"slurmstepd: error: pyxis:     [ERROR] No such file or directory: /lustre/containers/nemo.sqsh":                             "image-not-found",
		"slurmstepd: error: pyxis:     [ERROR] Not enough space left in /tmp (48211020 KB needed)":                                  "no-space-left",
		"slurmstepd: error: *** STEP 512.0 STEPD TERMINATED ON node3 AT 2023-11-02T11:22:33 DUE TO JOB NOT ENDING WITH SIGNALS ***": "stuck-terminating",
		"slurmstepd: error: *** STEP 512.0 STEPD TERMINATED ON node3 AT 2023-11-02T11:22:33 DUE TO JOB NOT RUNNING ***":             "",
		"[INFO] Extracting squashfs filesystem... /lustre/containers/nemo.sqsh":                                                     "",
	})
}

// TestManagersOfClusters checks why managers other than Slurm and Kubernetes end a job, and
// clouds that have no machine.
func TestManagersOfClusters(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"TERM_RUNLIMIT: job killed after reaching LSF run time limit.":                                                                            "active-deadline-exceeded",
		"TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.":                                                                        "oom-killed",
		"=>> PBS: job killed: walltime 86423 exceeded limit 86400":                                                                                "active-deadline-exceeded",
		"=>> PBS: job killed: mem 5245000kb exceeded limit 5242880kb":                                                                             "oom-killed",
		"PBS: job killed: ncpus 33.0 exceeded limit 32 (sum)":                                                                                     "application-error",
		"TERM_PREEMPT: job killed after preemption":                                                                                               "pod-preempted",
		"The account-level service limit 'ml.p4d.24xlarge for training job usage' is 0 Instances, with current utilization of 0 Instances":        "autoscaler-not-scaling-up",
		"Workflow[x] failed. RuntimeExecutionError: max number of system retry attempts [1/1] exhausted. Last known status message: USER:Unknown": "application-error",
		"EXT4-fs (nvme0n1p1): Delayed block allocation failed for inode 12 at logical offset 0 with max blocks 2048 with error 28":                "no-space-left",
		"walltime 86423 of 96400 used":                                                                                                            "",
	})
}

// TestTransfersAndRuntimes checks tools that copy data and run containers without Kubernetes.
func TestTransfersAndRuntimes(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"rsync error: error in socket IO (code 10) at io.c(784) [sender=3.2.3]":                                                                                       "dataset-download-failure",
		"error: failed to fetch some objects from 'https://github.com/acme/x.git/info/lfs'":                                                                           "dataset-download-failure",
		"CondaHTTPError: HTTP 000 CONNECTION FAILED for url <https://repo.anaconda.com/pkgs/main/linux-64/repodata.json>":                                             "dataset-download-failure",
		"Exception: URL fetch failure on https://storage.googleapis.com/x/mnist.npz: None -- [Errno -3] Temporary failure in name resolution":                         "dataset-download-failure",
		"docker: permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock":                                                "permission-denied",
		"ERROR  : Failed to create user namespace: user namespace disabled":                                                                                           "permission-denied",
		"FATAL:   could not open image /scratch/u/train.sif: failed to retrieve path for /scratch/u/train.sif: lstat /scratch/u/train.sif: no such file or directory": "image-not-found",
		"FATAL:   container creation failed: mount hook function failure: mount /data->/data error: while mounting /data: mount source /data doesn't exist":           "hostpath-missing",
		"docker: Error response from daemon: Bind for 0.0.0.0:29500 failed: port is already allocated.":                                                               "port-in-use",
		"  what():  Cannot open file /data/train.rec: No such file or directory":                                                                                      "file-not-found",
		"The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?":                                                            "application-error",
		"rsync error: received SIGINT, SIGTERM, or SIGHUP (code 20) at rsync.c(644)":                                                                                  "",
		"WARNING: skipping mount of /data: stat /data: no such file or directory":                                                                                     "",
	})
}

// TestMessagesOfStorageClients checks what botocore reports where a program prints it in its
// own words, and what Composer and SkyPilot report about an object and a cluster.
func TestMessagesOfStorageClients(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		`{"message": "An error occured while training: Connection was closed before we received a valid response from endpoint URL: \"http://minio:9000/bucket/14_Step.ckpt\".. Job failed!."}`:                       "dataset-download-failure",
		`upload gave up: Could not connect to the endpoint URL: "https://b.s3.amazonaws.com/"`:                                                                                                                        "dataset-download-failure",
		"FileNotFoundError: Object s3://b/ep0-ba50000-rank0.pt not found":                                                                                                                                             "checkpoint-missing",
		"FileNotFoundError: Object s3://b/shard-00012.tar not found":                                                                                                                                                  "file-not-found",
		"Error occurred when creating pods: sky.provision.kubernetes.config.KubernetesError: Insufficient CPU capacity on the cluster. Required resources (cpu=8, nvidia.com/gpu=1) were not found in a single node.": "insufficient-cpu",
		"slurmstepd: error: container_p_join: open failed /scratch/119383/.active: No such file or directory":                                                                                                         "application-error",
		"slurmstepd-n1: error: run_command: slurm task_prolog can not be executed (/etc/slurm/taskprolog) No such file or directory":                                                                                  "application-error",
		`INFO endpoint URL: "http://minio:9000"`: "",
	})
}

// TestClusterAnswers checks messages of schedulers, networks and the kubelet.
func TestClusterAnswers(t *testing.T) {
	f := eventTells(t)
	f("queue-quota-exceeded", "  reason: ApplicationRejected")
	f("gang-not-ready", "  Warning  Failed  3s  yunikorn  ResourceReservationTimeout: app-1")
	f("queue-quota-exceeded", "Workload requested 8 GPUs, but team-a quota is 16 GPUs, while 16 GPUs are already allocated for non-preemptible pods. Use a preemptible workload to go over quota.")
	f("sandbox-network", `error adding container to network "rdma": error at storage engine: Could not allocate IP in range: ip: 192.168.2.225 / - 192.168.2.230`)
	f("application-error", "Error response from daemon: OCI runtime create failed: unable to start container process: can't get final child's PID from pipe: EOF: unknown")
	f("command-not-found", `failed to create containerd task: OCI runtime create failed: unable to start container process: exec: "torchrun": executable file not found in $PATH: unknown`)
	f("training-runtime-missing", `admission webhook "validator.trainjob.trainer.kubeflow.org" denied the request: trainingruntimes.trainer.kubeflow.org "torch" not found: specified trainingRuntime must be created before the TrainJob is created`)
	f("multi-attach", `Failed to attach volume "data" on node "agent-0" with: Attach volume "a.vhd" to instance "agent-0" failed: Status=409 Code="AttachDiskWhileBeingDetached"`)
	f("csi-driver-missing", `Failed to attach volume "data" on node "agent-0" with: no answer`)
	f("readiness-probe-failing", "Warning  Unhealthy  3s (x120 over 20m)  kubelet  Readiness probe failed: dial tcp 10.0.0.3:8080: connect: connection refused")
	f("", "Warning  Unhealthy  3s (x3 over 20s)  kubelet  Readiness probe failed: dial tcp 10.0.0.3:8080: connect: connection refused")
	f("", "Warning  Unhealthy  3s (x12 over 2m)  kubelet  Readiness probe failed: HTTP probe failed with statuscode: 503")
}
