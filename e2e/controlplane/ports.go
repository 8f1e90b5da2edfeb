package controlplane

import (
	"errors"
	"fmt"
	"net"
)

// FreePorts finds n different free ports on loopback. All are held until the
// last is found, so that none is returned twice; between here and their use
// another program could still take one, which the log of the failing program
// then shows.
func FreePorts(n int) (ports []int, err error) {
	for range n {
		listener, listenErr := net.Listen("tcp", "127.0.0.1:0")
		if listenErr != nil {
			return nil, fmt.Errorf("find a free port on loopback: %w", listenErr)
		}
		defer func() { err = errors.Join(err, listener.Close()) }()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
