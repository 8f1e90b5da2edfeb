package rule

import (
	"slices"

	"github.com/traintop/traintop/train"
)

// What other causes have in their train, for the lists of what they hide.
var (
	// WrapAnEnd only say that a process ended.
	WrapAnEnd = []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed"}
	// FollowAnEnd are also what the other ranks say when one has ended.
	FollowAnEnd = append(slices.Clip(WrapAnEnd), "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt")
	// FollowAnError are also how Python reports an error that is known better.
	FollowAnError = append(slices.Clip(FollowAnEnd), "python-exception")
)
