package cli

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
)

const requestTimeoutFlag = "request-timeout"

// endless reports whether a person disabled all timeouts.
func (o *opening) endless(timeout time.Duration) bool {
	return o.timeoutFlag != nil && o.timeoutFlag.Changed && timeout == 0
}

// requestTimeout parses --request-timeout. 0 disables timeouts; where the flag
// is left out, the limits of sources/kube apply.
func (o *opening) requestTimeout() (time.Duration, error) {
	limit, err := client.RequestTimeout(*o.cluster.Timeout)
	if err != nil {
		return 0, &usageError{"traintop", fmt.Errorf("--%s %q is no time to wait; give seconds or a duration, such as 10, 10s, 2m", requestTimeoutFlag, *o.cluster.Timeout)}
	}
	return limit, nil
}
