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

// refuseAt closes a listener, and holds its port so that no other server gets it
// meanwhile: nobody listens there, and connections are refused.
func refuseAt(l net.Listener) (*os.File, error) {
	at := l.Addr().(*net.TCPAddr)
	_ = l.Close()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, fmt.Errorf("make a socket that refuses: %w", err)
	}
	held := os.NewFile(uintptr(socket), "refuses")
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Port: at.Port, Addr: [4]byte(at.IP.To4())}); err != nil {
		_ = held.Close()
		return nil, fmt.Errorf("hold port %d: %w", at.Port, err)
	}
	return held, nil
}
