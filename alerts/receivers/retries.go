package receivers

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	// DefaultMaxAge is how long a notice is tried.
	DefaultMaxAge = time.Hour
	// LongestTry is the deadline of one try. Services have shorter ones.
	LongestTry = longestCommand + time.Minute
)

// newBackoff is the pauses between tries: 1 s to 2 s first, twice that each
// time, up to 5 min. The jitter keeps many watchers from trying together.
func newBackoff() wait.Backoff {
	return wait.Backoff{Duration: time.Second, Factor: 2, Jitter: 1, Steps: 1000, Cap: 5 * time.Minute}
}
