package signatures

import "testing"

func TestNCCLConnectionsThatAreRefused(t *testing.T) {
	for _, line := range []string{"socketPollConnect: connect returned Connection refused, exceeded error retry count (35)", "socketPollConnect poll() returned 1, no POLLOUT events"} {
		if m := Find(InAnyText, line); len(m) == 0 || m[0].Cause != "nccl-init-failure" {
			t.Errorf("%q: %+v", line, m)
		}
	}
}
