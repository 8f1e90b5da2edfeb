package diagnose

import (
	"slices"

	"github.com/traintop/traintop/train"
)

// What other causes have in their train, for the lists of what they hide.
var (
	// wrapAnEnd only say that a process ended.
	wrapAnEnd = []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed"}
	// followAnEnd are also what the other ranks say when one has ended.
	followAnEnd = append(slices.Clip(wrapAnEnd), "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt")
	// followAnError are also how Python reports an error that is known better.
	followAnError = append(slices.Clip(followAnEnd), "python-exception")
)
