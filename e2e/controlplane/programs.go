package controlplane

import (
	"context"
	"embed"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// stages configure how kwok plays nodes and pods; see the comment in pods.yaml.
//
//go:embed stages/*.yaml
var stages embed.FS

// startEtcd starts etcd without fsync: the data is needed only for the test.
func (c *ControlPlane) startEtcd(ctx context.Context) (err error) {
	client, peer := "http://"+loopback(c.ports.etcdClient), "http://"+loopback(c.ports.etcdPeer)
	c.etcd, err = startProcess(c.Dir, c.binaries.path(etcdProgram),
		"--data-dir=etcd", "--unsafe-no-fsync", "--quota-backend-bytes=8589934592",
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer)
	if err != nil {
		return err
	}
	return c.etcd.listens(ctx, c.ports.etcdClient)
}

// startControllers starts the real scheduler and the real controllers. They
// serve nothing themselves, so any number can run on one machine. Nodes have
// no kubelet that would renew a heartbeat: the grace period outlasts any test.
func (c *ControlPlane) startControllers(context.Context) error {
	common := append(c.binaries.gates(), "--kubeconfig="+c.Kubeconfig, "--leader-elect=false", "--secure-port=0", "--kube-api-qps=500", "--kube-api-burst=1000")
	if _, err := c.startOther(controllerProgram, append(slices.Clip(common),
		"--service-account-private-key-file=sa.key", "--root-ca-file=ca.crt", "--use-service-account-credentials",
		"--node-monitor-grace-period=24h")...); err != nil {
		return err
	}
	scheduler, err := c.startOther(schedulerProgram, common...)
	if err != nil {
		return err
	}
	// The real one (1.36.3) ends itself when a pod was replaced while the API
	// server was away and its cache is no longer right.
	scheduler.restart(3)
	return nil
}

// startKwok installs kwok's own resources and starts it as the kubelet of every
// node. Its server answers the API server's requests for logs, which arrive
// through startKubelet's.
func (c *ControlPlane) startKwok(ctx context.Context) error {
	definitions, err := os.ReadFile(c.binaries.path(kwokCRDs))
	if err != nil {
		return fmt.Errorf("read kwok's resource definitions: %w", err)
	}
	if _, err := c.Apply(ctx, string(definitions)); err != nil {
		return fmt.Errorf("install kwok's resource definitions: %w", err)
	}
	args := []string{
		"--kubeconfig=" + c.Kubeconfig, "--manage-all-nodes=true",
		"--node-ip=127.0.0.1", "--node-port=" + strconv.Itoa(c.ports.kubelet), "--server-address=" + loopback(c.ports.kwok),
		"--tls-cert-file=kwok.crt", "--tls-private-key-file=kwok.key",
		"--cidr=10.64.0.0/10", "--enable-crds=Logs,ClusterLogs",
	}
	files, err := stages.ReadDir("stages")
	if err != nil {
		return fmt.Errorf("read kwok's stages: %w", err)
	}
	for _, file := range files {
		text, err := stages.ReadFile("stages/" + file.Name())
		if err != nil {
			return fmt.Errorf("read kwok's stages: %w", err)
		}
		path := filepath.Join(c.Dir, "kwok-"+file.Name())
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return fmt.Errorf("write kwok's stages: %w", err)
		}
		args = append(args, "--config="+path)
	}
	kwok, err := c.startOther(kwokProgram, args...)
	if err != nil {
		return err
	}
	return kwok.listens(ctx, c.ports.kwok)
}

// startOther starts a program that runs until the control plane ends.
func (c *ControlPlane) startOther(program string, args ...string) (*process, error) {
	p, err := startProcess(c.Dir, c.binaries.path(program), args...)
	if err != nil {
		return nil, err
	}
	c.others = append(c.others, p)
	return p, nil
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
