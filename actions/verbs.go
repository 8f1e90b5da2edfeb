package actions

// Actor executes all actions of this package. Its methods are called off the event loop,
// from many goroutines.
type Actor interface {
	Executor
	Changer
	Awaiter
	Forwarder
	Copier
	Editor
}
