package actions

import (
	"context"
	"time"
)

// Forward is a port of a pod brought to this machine.
type Forward struct {
	Namespace, Pod, PodUID string
	// Remote is the container's port, Local the one here: 0 takes Remote where
	// it is free, else any. It listens on the loopback addresses only.
	Remote, Local int
}

// Forwarder forwards ports.
type Forwarder interface {
	// Forward begins to forward; errors are *Failure. It goes on, and tries
	// again after an interruption, until it is closed.
	Forward(ctx context.Context, f Forward) (Forwarding, error)
}

// Forwarding is a port that is being forwarded.
type Forwarding interface {
	State() ForwardState
	// Changed is signalled when the state changed; it is of capacity one.
	Changed() <-chan struct{}
	Close()
}

// ForwardState is how a forwarded port is doing.
type ForwardState struct {
	Forward // Local is the port that was taken
	Since   time.Time
	// Open counts connections now, Served all so far, Bytes what went
	// through both ways.
	Open, Served int
	Bytes        int64
	// Trouble says what is wrong now, "" when nothing is; Ended that it was
	// given up (the pod is gone).
	Trouble string
	Ended   bool
}
