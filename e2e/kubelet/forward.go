package kubelet

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// PortAnnotation of a pod, followed by a port's number, is the address of the
// server behind that port.
const PortAnnotation = "e2e/port-"

// forwarder connects to the ports of a pod.
type forwarder struct {
	kubelet *Kubelet
	pod     *corev1.Pod
}

// PortForward implements portforward.PortForwarder. Its error for a port where
// nothing listens is that of containerd 2.1.
func (f forwarder) PortForward(_ context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	var server net.Conn
	err := fmt.Errorf("dial tcp4 127.0.0.1:%d: connect: connection refused", port)
	if address := f.pod.Annotations[fmt.Sprintf("%s%d", PortAnnotation, port)]; address != "" {
		server, err = net.Dial("tcp", address)
	}
	if err != nil {
		return fmt.Errorf("failed to execute portforward in network namespace %q: failed to connect to localhost:%d inside namespace %q, IPv4: %w IPv6 dial tcp6: address localhost: no suitable address found",
			"/var/run/netns/cni-"+f.pod.Name, port, f.pod.UID, err)
	}
	defer server.Close()
	ctx, cancel := f.kubelet.whileThere(container{pod: f.pod})
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = server.Close(); _ = stream.Close() })()
	carry(stream, server)
	return nil
}

// carry copies both ways until one side has no more to send and the other has
// answered it.
func carry(client io.ReadWriteCloser, server net.Conn) {
	var directions sync.WaitGroup
	directions.Go(func() {
		_, _ = io.Copy(server, client)
		if half, ok := server.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
	})
	directions.Go(func() { _, _ = io.Copy(client, server); _ = client.Close() })
	directions.Wait()
}
