package controlplane

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
)

// Requests a second that the helpers of this package may send.
const helperQPS = 1000

// URL is where the API server listens, also while it is stopped.
func (c *ControlPlane) URL() string { return "https://" + loopback(c.ports.apiServer) }

// StartAPIServer starts the API server, at its old port when it ran before,
// and waits until it is ready. Whatever ran beside it starts anew then, as controllers
// do that lost their lease: those that go on back off for most of a minute (client-go
// 0.36), in which no pod starts.
func (c *ControlPlane) StartAPIServer(ctx context.Context) (err error) {
	args := slices.Concat(c.binaries.gates(), c.binaries.serves(), []string{
		"--etcd-servers=http://" + loopback(c.ports.etcdClient),
		"--bind-address=127.0.0.1", "--secure-port=" + strconv.Itoa(c.ports.apiServer),
		"--tls-cert-file=apiserver.crt", "--tls-private-key-file=apiserver.key",
		"--client-ca-file=ca.crt", "--authorization-mode=Node,RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=sa.pub", "--service-account-signing-key-file=sa.key",
		"--service-cluster-ip-range=10.0.0.0/16",
		// Towards kwok, for logs and exec.
		"--kubelet-client-certificate=kubelet-client.crt", "--kubelet-client-key=kubelet-client.key",
		"--kubelet-preferred-address-types=InternalIP",
		// Aggregated API servers. The allowed name keeps client certificates of
		// the same authority from passing as a front proxy.
		"--requestheader-client-ca-file=ca.crt", "--requestheader-allowed-names=kubelet-client",
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=kubelet-client.crt", "--proxy-client-key-file=kubelet-client.key",
		"--enable-aggregator-routing",
		"--max-requests-inflight=2000", "--max-mutating-requests-inflight=1000",
	})
	if c.apiServer, err = startProcess(c.Dir, c.binaries.path(apiServerProgram), args...); err != nil {
		return err
	}
	err = c.apiServer.until(ctx, "is ready", func(ctx context.Context) error {
		return c.clients.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
	if err != nil {
		return err
	}
	for _, p := range c.others {
		p.again()
	}
	return nil
}

// StopAPIServer kills the API server as a crash would: connections break
// without a shutdown.
func (c *ControlPlane) StopAPIServer() { c.apiServer.kill() }

// RESTConfig is an administrator's configuration, the caller's own to change.
func (c *ControlPlane) RESTConfig() *rest.Config { return rest.CopyConfig(c.config) }

// Clients is an administrator's typed client.
func (c *ControlPlane) Clients() kubernetes.Interface { return c.clients }

// Objects is an administrator's client for objects of any kind.
func (c *ControlPlane) Objects() dynamic.Interface { return c.objects }

// connect makes the clients; they need no server yet, and outlive its restarts.
func (c *ControlPlane) connect(context.Context) (err error) {
	if c.config, err = clientcmd.BuildConfigFromFlags("", c.Kubeconfig); err != nil {
		return fmt.Errorf("read the administrator's kubeconfig: %w", err)
	}
	c.config.QPS, c.config.Burst = helperQPS, helperQPS
	c.config.UserAgent = "traintop-e2e"
	if c.clients, err = kubernetes.NewForConfig(c.config); err != nil {
		return fmt.Errorf("make a client of the API server: %w", err)
	}
	if c.objects, err = dynamic.NewForConfig(c.config); err != nil {
		return fmt.Errorf("make a client of the API server: %w", err)
	}
	c.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(c.clients.Discovery()))
	return nil
}
