package logfindings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestWordsFitTheLine checks that titles claim no more than their line shows.
func TestWordsFitTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"There are not enough slots available in the system to satisfy the 16":                                        "fewer slots than processes",
		"AssertionError: global batch size (1000) is not divisible by micro batch size (3) times data parallel size":  "batch sizes do not fit",
		"Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1b000":                                        "Two ranks use the same GPU",
		"Call to ibv_reg_mr failed with error Cannot allocate memory":                                                 "limit of locked memory",
		"RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.97 GiB total capacity)":               "The NPU ran out of memory",
		"XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm": "The TPU ran out of memory",
		"botocore.exceptions.ClientError: An error occurred (SlowDown) when calling the UploadPart operation":         "A server asks for fewer requests",
		"botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the PutObject operation":      "Data could not be uploaded",
		"botocore.exceptions.NoCredentialsError: Unable to locate credentials":                                        "The object storage refuses",
		"RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm(handle)`":                 "A call of a GPU library failed",
		"RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasGemmEx(handle)`":                   "A call of a GPU library failed",
		"RuntimeError: CUDA error: invalid device ordinal":                                                            "GPU number that it does not have",
		"OSError: [Errno 30] Read-only file system: '/data/x'":                                                        "file system is read-only",
		"PermissionError: [Errno 13] Permission denied: '/data/x'":                                                    "permission denied",
		"ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.":                     "Ray's memory monitor",
		"socket.gaierror: [Errno -2] Name or service not known":                                                       "A host name does not resolve",
		"Bus error (core dumped)": "perhaps shared memory",
		"WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 17 closing signal SIGHUP": "(SIGHUP)",
		"SignalException: Process 1 got signal: 15":                                                      "sigterm received",
		"= KILLED BY SIGNAL: 4 (Illegal instruction)":                                                    "instructions that the node's processor",
		"0/4 nodes are available: 4 quota group is draining.":                                            "The scheduler finds no node: 0/4 nodes are available: 4 quota group",
	} {
		if found := diagnosed(text); len(found) == 0 || !strings.Contains(found[0].Title, want) {
			t.Errorf("%s: got %+v", text, found)
		}
	}
}

// TestHandledErrors checks that an error which the program caught is no alarm
// once it goes on, nor is what another error quotes.
func TestHandledErrors(t *testing.T) {
	for _, text := range []string{
		"RuntimeError: CUDA out of memory (ignored)\nTraceback (most recent call last):\n  File \"/app/train.py\", line 12, in <module>\n    main()\nKeyError: 'labels'\n",
		"caught CUDA out of memory, halving batch size\nTraceback (most recent call last):\n  File \"/app/train.py\", line 12, in <module>\n    main()\nKeyError: 'labels'\n",
		"Traceback (most recent call last):\n  File \"/app/train.py\", line 12, in <module>\n    main()\nValueError: unknown error class \"CUDA out of memory\"\n",
	} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause != "python-exception" {
			t.Errorf("%s: got %+v", text, found)
		}
	}
	found := diagnosed("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n")
	if len(found) == 0 || found[0].Severity != train.SeverityError {
		t.Errorf("got %+v", found)
	}
}

// TestTriesAgain checks that a line which states that it tries again is no failure once
// the run goes on, and one where nothing follows.
func TestTriesAgain(t *testing.T) {
	steps := func(from int) (text string) {
		for i := range 30 {
			text += fmt.Sprintf("2026-11-20 10:%02d:00 INFO step=%d loss=%.2f\n", from+i%30, 10*(from+i), 3-float64(from+i)/40)
		}
		return text
	}
	for _, line := range []string{
		"srun: error: Munge encode failed: retrying\n",
		"srun: error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\": retrying ...\n",
		"ConnectionError: Couldn't reach the server (will retry in 5s)\n",
	} {
		if found := diagnosed(steps(0) + line + steps(30)); len(found) != 0 {
			t.Errorf("%s: before further steps: %+v", line, found)
		}
	}
	if found := diagnosed(steps(0) + "srun: error: Munge encode failed: retrying\n"); len(found) == 0 {
		t.Error("nothing follows: no finding")
	}
}

// A repair that the driver reports is a notice, as the reading of an exporter with its
// code is; what cannot be repaired is an error.
func TestRepairsOfMemoryAreNotices(t *testing.T) {
	for line, want := range map[string]train.Severity{
		"NVRM: Xid (PCI:0000:3b:00): 63, pid=1, Row Remapper: New row marked for remapping, reset gpu to activate.": train.SeverityInfo,
		"NVRM: Xid (PCI:0000:3b:00): 64, pid=1, Row Remapper: Row remapping table is full.":                         train.SeverityError,
	} {
		found := diagnosed(line + "\n")
		if len(found) != 1 || found[0].Severity != want || found[0].Cause != "gpu-ecc-error" || want == train.SeverityInfo && !strings.Contains(found[0].Title, "remapped") {
			t.Errorf("%s: %+v", line, found)
		}
	}
}

// A file that NFS keeps because it was deleted while open is most often no failure
// (github.com/AILab-CVC/YOLO-World/issues/440), and none of a GPU.
func TestFilesDeletedWhileInUse(t *testing.T) {
	const busy = "OSError: [Errno 16] Device or resource busy: '.nfs00000000000f464500000da8'\n"
	for _, text := range []string{busy, "Traceback (most recent call last):\n  File \"/app/train.py\", line 12, in <module>\n    shutil.rmtree(cache)\n" + busy} {
		if found := diagnosed(text); len(found) != 1 || found[0].Cause != "python-exception" || found[0].Severity != train.SeverityWarning || found[0].Confidence != train.Possible {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}
