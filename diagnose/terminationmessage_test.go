package diagnose

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// A container's termination message holds the end of its log, or what the
// program wrote there: the rules of logs read it.
func TestTerminationMessagesAreReadLikeLogs(t *testing.T) {
	for message, want := range map[string]train.Cause{
		"  File \"train.py\", line 9, in main\n    loss.backward()\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.00 GiB is free.\n":                                                                                                                    "cuda-out-of-memory",
		"Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\n    import flash_attn\nModuleNotFoundError: No module named 'flash_attn'\n":                                                                                                                                                                   "python-import-error",
		`{"message":{"message":"OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB","extraInfo":{"py_callstack":"Traceback (most recent call last):\n  File \"train.py\", line 9, in main\n    loss.backward()\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n","timestamp":"1716544000"}}}`: "cuda-out-of-memory",
		`{"message":"RuntimeError: Unexpected result nan (message='found NaN in local forward loss')"}`:                                                                                                                                                                                                                              "nan-loss",
	} {
		answer := answerOf(t, func(c *cluster) {
			c.job(2, created)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 5))
			c.worker(1, ended("gpu-0", 1, "Error", message, 3))
		})
		if len(answer.Findings) == 0 || answer.Findings[0].Cause != want {
			t.Errorf("%s: %+v", message, answer.Findings)
			continue
		}
		if e := answer.Findings[0].Evidence[0]; !strings.HasPrefix(e.Text, "termination message of ") {
			t.Errorf("%s: evidence %q", message, e.Text)
		}
	}
}
