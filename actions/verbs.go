package actions

// Actor does everything that this package has words for. Its methods are
// called off the event loop, from many goroutines.
type Actor interface {
	Executor
	Changer
	Awaiter
	Forwarder
	Copier
	Editor
}
