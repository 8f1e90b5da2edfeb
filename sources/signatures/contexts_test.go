package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestContexts checks texts whose surroundings change their cause: another
// device, a quotation, another limit.
func TestContexts(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"OOM when allocating tensor with shape[8,8] and type float on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu":       "oom-killed",
		"OOM when allocating tensor with shape[8,8] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc": "cuda-out-of-memory",
		`ValueError: unknown error class "CUDA out of memory"`:                                                                             "python-exception",
		"RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB":                                                                     "cuda-out-of-memory",
		"OSError: [Errno 28] inotify watch limit reached":                                                                                  "too-many-open-files",
		"Error: ENOSPC: System limit for number of file watchers reached, watch '/app/src'":                                                "too-many-open-files",
		"OSError: [Errno 28] No space left on device: '/ckpt/x'":                                                                           "no-space-left",
		"tail: inotify cannot be used, reverting to polling: Too many open files":                                                          "",
		"lua: train.lua:17: attempt to index a nil value (global 'model')":                                                                 "application-error",
		"Error using train_net (line 42)":                                                                                                  "application-error",
		"Error using old settings in the run":                                                                                              "",
	})
}
