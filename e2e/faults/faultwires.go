package faults

import (
	"net"
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
