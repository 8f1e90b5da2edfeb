package views

import (
	"net"
	"net/url"
	"strconv"

	"github.com/traintop/traintop/actions"
)

// Forwarded is a port of a pod that is forwarded to this machine.
type Forwarded struct {
	// ID identifies it among all forwards of the program.
	ID    int
	Port  actions.Port
	State actions.ForwardState
}

// URL is the address for a browser, "" where none would show anything.
func (f Forwarded) URL() string {
	if f.Port.Scheme == "" {
		return ""
	}
	address := url.URL{Scheme: f.Port.Scheme, Host: f.Address(), Path: f.Port.Path}
	return address.String()
}

// Address is the host and port to connect to.
func (f Forwarded) Address() string {
	return net.JoinHostPort("localhost", strconv.Itoa(f.State.Local))
}
