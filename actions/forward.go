package actions

import (
	"context"
	"time"
)

// Forward is a port of a pod to forward to this machine.
type Forward struct {
	Namespace, Pod, PodUID string
	// Remote is the container's port, Local the port here: 0 uses Remote if it is
	// free, else any. It listens on the loopback addresses only.
	Remote, Local int
}

// Forwarder forwards ports.
type Forwarder interface {
	// Forward starts forwarding; errors are *Failure. It continues, and retries
	// after an interruption, until it is closed.
	Forward(ctx context.Context, f Forward) (Forwarding, error)
}

// Forwarding is a port that is being forwarded.
type Forwarding interface {
	State() ForwardState
	// Changed receives when the state changed; its capacity is one.
	Changed() <-chan struct{}
	Close()
}

// ForwardState is the state of a forwarded port.
type ForwardState struct {
	Forward // Local is the port in use
	Since   time.Time
	// Open counts current connections, Served all so far, Bytes the bytes in
	// both directions.
	Open, Served int
	Bytes        int64
	// Trouble is the current problem, "" for none; Ended is true after it was
	// given up (the pod is gone).
	Trouble string
	Ended   bool
}
