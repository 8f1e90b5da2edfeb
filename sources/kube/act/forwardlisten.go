package act

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"github.com/traintop/traintop/sources/kube/client"
)

// portInUseError reports a local port that cannot be listened on.
type portInUseError struct {
	port  int
	cause error
}

func (e *portInUseError) Error() string {
	why := "is taken by another program"
	if errors.Is(e.cause, syscall.EACCES) {
		why = "needs rights that this program does not have"
	} else if !errors.Is(e.cause, syscall.EADDRINUSE) {
		why = "cannot be listened on: " + client.Printable(e.cause.Error())
	}
	return fmt.Sprintf("port %d of this machine %s; choose another, or 0 for any that is free", e.port, why)
}

func (e *portInUseError) Unwrap() error { return e.cause }

// anyPortTries limits how often a port that is free for IPv4 may be in use for
// IPv6.
const anyPortTries = 10

// ListenLoopback listens on both loopback addresses, or on the one that this
// machine has. With port 0 it uses the wanted port if that is free.
func ListenLoopback(port, wanted int) ([]net.Listener, error) {
	if port != 0 {
		return ListenPort(port)
	}
	if listeners, err := ListenPort(wanted); err == nil {
		return listeners, nil
	}
	var failed error
	for range anyPortTries {
		listeners, err := ListenPort(0)
		if err == nil {
			return listeners, nil
		}
		failed = err
	}
	return nil, failed
}

func ListenPort(port int) ([]net.Listener, error) {
	four, err := listenOn("127.0.0.1", port)
	if err != nil && !absent(err) {
		return nil, &portInUseError{port, err}
	}
	var listeners []net.Listener
	if four != nil {
		listeners = append(listeners, four)
		port = PortOf(four)
	}
	six, err := listenOn("::1", port)
	if err != nil && (four == nil || !absent(err)) {
		CloseAll(listeners)
		return nil, &portInUseError{port, err}
	}
	if six != nil {
		listeners = append(listeners, six)
	}
	return listeners, nil
}

func listenOn(address string, port int) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
	if err != nil {
		return nil, err // not a nil pointer in an interface
	}
	return listener, nil
}

// absent reports whether this machine lacks such an address.
func absent(err error) bool {
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT) || errors.Is(err, syscall.EPROTONOSUPPORT)
}

func PortOf(listener net.Listener) int {
	if at, ok := listener.Addr().(*net.TCPAddr); ok {
		return at.Port
	}
	return 0
}

func CloseAll(listeners []net.Listener) {
	for _, one := range listeners {
		_ = one.Close()
	}
}
