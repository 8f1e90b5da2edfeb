package rule

import (
	"slices"

	"github.com/traintop/traintop/train"
)

// Causes that others bring about, for the lists of what they hide.
var (
	// WrapAnEnd only report that a process ended.
	WrapAnEnd = []train.Cause{"application-error", "backoff-limit-exceeded", "pod-failure-policy", "torchrun-child-failed"}
	// FollowAnEnd are also what the other ranks report when one has ended.
	FollowAnEnd = append(slices.Clip(WrapAnEnd), "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt")
	// FollowAnError are also how Python reports an error that another cause
	// names better.
	FollowAnError = append(slices.Clip(FollowAnEnd), "python-exception")
)
