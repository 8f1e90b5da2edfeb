package signatures

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// TestExceptionsAreReadWithTheirFrames checks what the function in which an exception ends
// adds to its text, and that the same text elsewhere stays what it says.
func TestExceptionsAreReadWithTheirFrames(t *testing.T) {
	for _, c := range []struct {
		frame, function, last string
		want                  train.Cause
	}{
		// CPython 3.11 Lib/subprocess.py, os.py, multiprocessing/popen_fork.py
		{"/usr/lib/python3.11/subprocess.py", "_execute_child", "FileNotFoundError: [Errno 2] No such file or directory: 'nvcc'", "command-not-found"},
		{"/usr/lib/python3.11/os.py", "_execvpe", "FileNotFoundError: [Errno 2] No such file or directory", "command-not-found"},
		{"/usr/lib/python3.11/shutil.py", "copyfile", "FileNotFoundError: [Errno 2] No such file or directory: 'nvcc'", "file-not-found"},
		{"/usr/lib/python3.11/subprocess.py", "_execute_child", "PermissionError: [Errno 13] Permission denied: './prepare.sh'", "permission-denied"},
		{"/usr/lib/python3.11/multiprocessing/popen_fork.py", "_launch", "BlockingIOError: [Errno 11] Resource temporarily unavailable", "process-limit"},
		{"/usr/lib/python3.11/socket.py", "recv", "BlockingIOError: [Errno 11] Resource temporarily unavailable", "python-exception"},
		// s3fs 2024.6 errors.py, gcsfs 2024.6 retry.py, adlfs 2024.4 spec.py
		{"/opt/conda/lib/python3.11/site-packages/s3fs/core.py", "_info", "FileNotFoundError: bucket/shards/a.tar", "dataset-download-failure"},
		{"/opt/conda/lib/python3.11/site-packages/adlfs/spec.py", "_details", "FileNotFoundError: container/a.tar", "dataset-download-failure"},
		{"/opt/conda/lib/python3.11/site-packages/fsspec/implementations/http.py", "_info", "FileNotFoundError: https://data.example.com/a.tar", "dataset-download-failure"},
		{"/opt/conda/lib/python3.11/site-packages/fsspec/implementations/local.py", "_open", "FileNotFoundError: [Errno 2] No such file or directory: '/data/a.tar'", "file-not-found"},
		// PyTorch 2.4 hub.py, torchvision 0.19 datasets/utils.py
		{"/opt/conda/lib/python3.11/site-packages/torch/hub.py", "download_url_to_file", "RuntimeError: invalid hash value (expected \"a1\", got \"b2\")", "dataset-download-failure"},
		{"/opt/conda/lib/python3.11/site-packages/torchvision/datasets/utils.py", "download_url", "RuntimeError: File not found or corrupted.", "dataset-download-failure"},
		// PyTorch 2.4 multiprocessing/reductions.py, CPython multiprocessing/reduction.py
		{"/opt/conda/lib/python3.11/site-packages/torch/multiprocessing/reductions.py", "reduce_tensor", "RuntimeError: Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing process boundaries.", "pickle-spawn-error"},
		{"/usr/lib/python3.11/multiprocessing/reduction.py", "dump", "NotImplementedError: object proxy must define __reduce_ex__()", "pickle-spawn-error"},
		{"/opt/conda/lib/python3.11/site-packages/torch/multiprocessing/reductions.py", "reduce_storage", "RuntimeError: unable to open shared memory object </torch_1_2> in read-write mode: Too many open files (24)", "too-many-open-files"},
		// Triton 3.0 runtime/build.py
		{"/opt/conda/lib/python3.11/site-packages/triton/runtime/build.py", "_build", "subprocess.CalledProcessError: Command '['/usr/bin/gcc', 'main.c', '-O3', '-shared']' returned non-zero exit status 1.", "extension-build-failed"},
		{"/workspace/prepare.py", "run", "subprocess.CalledProcessError: Command '['/usr/bin/gcc', 'main.c', '-O3', '-shared']' returned non-zero exit status 1.", "python-exception"},
	} {
		text := "Traceback (most recent call last):\n  File \"/workspace/train.py\", line 12, in <module>\n    main()\n  File \"" + c.frame + "\", line 40, in " + c.function + "\n    call()\n" + c.last
		s := NewScanner(InLog)
		var hits []train.LogHit
		for i, line := range strings.Split(text, "\n") {
			hits = append(hits, s.Line(int64(i), time.Time{}, []byte(line))...)
		}
		if hits = append(hits, s.End()...); len(hits) == 0 || hits[len(hits)-1].Cause != c.want {
			t.Errorf("%s in %s:%s: got %+v, want %s", c.last, c.frame, c.function, hits, c.want)
		}
	}
}
