package faults

import (
	"fmt"
	"net"
	"os"
	"syscall"
)

// wireFault is a fault below HTTP.
type wireFault uint8

const (
	wireWell wireFault = iota
	wireRefuses
	wireResets
	wireMute
	wireExpired
	wireStranger
)

// Faults of the connection.
var (
	Refused  = Fault{Words: "connection refused", wire: wireRefuses}
	Reset    = Fault{Words: "connection reset", wire: wireResets}
	Mute     = Fault{Words: "listening, but never accepting", silent: true, wire: wireMute}
	Expired  = Fault{Words: "an expired certificate", wire: wireExpired}
	Stranger = Fault{Words: "a certificate of another authority", wire: wireStranger}
)

// faultyListener accepts connections as its fault demands.
type faultyListener struct {
	net.Listener
	fault func() wireFault
	done  <-chan struct{}
}

// Accept implements net.Listener.
func (l faultyListener) Accept() (net.Conn, error) {
	for {
		if l.fault() == wireMute {
			<-l.done
			return nil, net.ErrClosed
		}
		conn, err := l.Listener.Accept()
		if err != nil || l.fault() != wireResets {
			return conn, err
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close() // with nothing lingering, this resets it
	}
}

// refusingSocket has an address where nobody listens: it is bound for as long as
// it is open, so that no server gets its port, and connections to it are refused.
func refusingSocket() (*os.File, string, error) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, "", fmt.Errorf("make a socket that refuses: %w", err)
	}
	held := os.NewFile(uintptr(socket), "refuses")
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		_ = held.Close()
		return nil, "", fmt.Errorf("bind a socket that refuses: %w", err)
	}
	at, err := syscall.Getsockname(socket)
	if err != nil {
		_ = held.Close()
		return nil, "", fmt.Errorf("find the port of a socket that refuses: %w", err)
	}
	return held, fmt.Sprintf("127.0.0.1:%d", at.(*syscall.SockaddrInet4).Port), nil
}
