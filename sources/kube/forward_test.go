package kube

import (
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/tools/portforward"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/act"
)

func TestAPortHereIsTakenOnceOrAnotherIs(t *testing.T) {
	first, err := act.ListenLoopback(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer act.CloseAll(first)
	taken := act.PortOf(first[0])
	for _, listener := range first {
		if act.PortOf(listener) != taken || !listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
			t.Errorf("it listens on %s", listener.Addr())
		}
	}
	if _, err := act.ListenLoopback(taken, 6006); !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), "is taken by another program") {
		t.Errorf("a taken port: %v", err)
	}
	other, err := act.ListenLoopback(0, taken)
	if err != nil {
		t.Fatal(err)
	}
	defer act.CloseAll(other)
	if act.PortOf(other[0]) == taken {
		t.Error("a port was taken twice")
	}
}

// A port that is free for IPv4 only is not free.
func TestAPortIsTakenForBothAddresses(t *testing.T) {
	six, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6")
	}
	defer six.Close()
	port := act.PortOf(six)
	if listeners, err := act.ListenPort(port); err == nil {
		act.CloseAll(listeners)
		t.Errorf("port %d is taken for IPv6, and was taken", port)
	}
	four, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", six.Addr().String()[strings.LastIndex(six.Addr().String(), ":")+1:]))
	if err != nil {
		t.Errorf("what was tried is not given back: %v", err)
		return
	}
	four.Close()
}

func TestForwardsThatMakeNoSense(t *testing.T) {
	cluster, err := New(Options{Flags: newAPIServer(t).flags()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []actions.Forward{
		{}, {Namespace: "ml", Pod: "w-0"}, {Namespace: "ml", Pod: "w-0", Remote: 65536}, {Namespace: "ml", Pod: "w-0", Remote: 80, Local: -1},
		{Namespace: "ml", Pod: "../nodes", Remote: 80},
	} {
		_, err := cluster.Forward(t.Context(), f)
		var failed *actions.Failure
		if !errors.As(err, &failed) || failed.Kind != actions.Invalid {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// A tunnel that does not answer pings is closed; one that nobody reads from is
// not.
func TestASilentTunnelIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		defer there.Close()
		heard := &act.IdleTimeoutConn{Conn: here}
		heard.Silent = time.AfterFunc(act.TunnelSilence, func() { _ = heard.Close() })
		go func() {
			for range 5 {
				_, _ = there.Write([]byte("pong"))
				time.Sleep(portforward.PingPeriod)
			}
		}()
		began := time.Now()
		buffer := make([]byte, 4)
		for range 2 {
			if _, err := io.ReadFull(heard, buffer); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2 * act.TunnelSilence) // a full buffer here delays reading
		for range 3 {
			if _, err := io.ReadFull(heard, buffer); err != nil {
				t.Fatalf("closed although it speaks: %v", err)
			}
		}
		before := time.Now()
		if _, err := heard.Read(buffer); err == nil || time.Since(before) != act.TunnelSilence {
			t.Errorf("silent for %s, it gives %v (after %s)", time.Since(before), err, time.Since(began))
		}
	})
}
