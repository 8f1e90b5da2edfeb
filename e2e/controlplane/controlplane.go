package controlplane

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/traintop/traintop/e2e/kubelet"
)

// startTimeout bounds the whole start; it takes some ten seconds on two slow cores.
const startTimeout = 3 * time.Minute

// Options configure a control plane.
type Options struct {
	// Dir receives state and logs. "" uses a temporary folder, which Stop
	// removes unless KeepDir is set.
	Dir     string
	KeepDir bool
	// Kubernetes is the release, "" for KubernetesVersion.
	Kubernetes string
	// Progress receives each step, in sentences for a person; nil is silent.
	Progress func(string)
}

// ControlPlane is a running control plane. Its methods may be used from
// several goroutines, except those that start and stop things.
type ControlPlane struct {
	// Dir holds certificates, etcd's data and one log file for each program.
	Dir string
	// Kubeconfig is the path of an administrator's kubeconfig.
	Kubeconfig string

	binaries Binaries
	ca       *authority
	ports    ports
	removes  bool // whether Stop removes Dir

	etcd, apiServer *process
	others          []*process
	kubelet         *kubelet.Kubelet

	config  *rest.Config
	clients kubernetes.Interface
	objects dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

type ports struct{ etcdClient, etcdPeer, apiServer, kwok, kubelet int }

// Start builds missing programs and starts a control plane. It returns when the
// API server is ready, the controllers run and kwok plays the kubelets.
func Start(ctx context.Context, options Options) (*ControlPlane, error) {
	if options.Progress == nil {
		options.Progress = func(string) {}
	}
	binaries, err := Build(ctx, cmp.Or(options.Kubernetes, KubernetesVersion), options.Progress)
	if err != nil {
		return nil, fmt.Errorf("build a control plane: %w", err)
	}
	c := &ControlPlane{binaries: binaries, removes: options.Dir == "" && !options.KeepDir}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := c.start(ctx, options.Dir); err != nil {
		c.removes = false // the logs contain the reason
		return nil, errors.Join(fmt.Errorf("start a control plane (logs in %s): %w", c.Dir, err), c.Stop())
	}
	return c, nil
}

func (c *ControlPlane) start(ctx context.Context, dir string) error {
	if err := c.prepare(dir); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		c.connect, c.startEtcd, c.StartAPIServer, c.startControllers, c.startKwok, c.startKubelet,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes the folder, chooses the ports and issues the certificates.
func (c *ControlPlane) prepare(dir string) (err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "traintop-e2e-"); err != nil {
			return fmt.Errorf("make a folder for the control plane: %w", err)
		}
	}
	if c.Dir, err = filepath.Abs(dir); err != nil {
		return fmt.Errorf("find the control plane's folder: %w", err)
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return fmt.Errorf("make the control plane's folder: %w", err)
	}
	free, err := FreePorts(5)
	if err != nil {
		return err
	}
	c.ports = ports{etcdClient: free[0], etcdPeer: free[1], apiServer: free[2], kwok: free[3], kubelet: free[4]}
	if c.ca, err = newAuthority(c.Dir); err != nil {
		return err
	}
	return c.issueCertificates()
}

func (c *ControlPlane) issueCertificates() error {
	for _, of := range []struct{ file, name, group string }{
		{"apiserver", "kube-apiserver", ""},
		{"kubelet-client", "kubelet-client", administrators},
		{"kwok", "kwok", ""},
	} {
		pair, err := c.ca.issue(of.name, of.group)
		if err != nil {
			return err
		}
		if err := c.ca.write(of.file, pair); err != nil {
			return err
		}
	}
	if err := c.ca.writeSigner(); err != nil {
		return err
	}
	admin, err := c.ca.issue("admin", administrators)
	if err != nil {
		return err
	}
	c.Kubeconfig, err = c.writeKubeconfig("admin", admin, "")
	return err
}

// Stop ends every program and removes the folder, unless it is to be kept.
func (c *ControlPlane) Stop() error {
	if c.kubelet != nil {
		c.kubelet.Close()
	}
	for _, p := range append(c.others, c.apiServer, c.etcd) {
		p.kill()
	}
	if !c.removes {
		return nil
	}
	if err := os.RemoveAll(c.Dir); err != nil {
		return fmt.Errorf("remove the control plane's folder: %w", err)
	}
	return nil
}
