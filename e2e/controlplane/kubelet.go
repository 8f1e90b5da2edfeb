package controlplane

import (
	"context"
	"fmt"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/e2e/kubelet"
)

// startKubelet starts the server at which the API server finds the kubelets
// of all nodes, with kwok behind it.
func (c *ControlPlane) startKubelet(context.Context) (err error) {
	c.kubelet, err = kubelet.Start(kubelet.Options{
		Address: loopback(c.ports.kubelet), Behind: loopback(c.ports.kwok),
		CertFile: filepath.Join(c.Dir, "kwok.crt"), KeyFile: filepath.Join(c.Dir, "kwok.key"),
		Dir: c.Dir, Clients: c.clients,
	})
	return err
}

// Sandbox is where the commands run that are executed in a pod's containers.
func (c *ControlPlane) Sandbox(ctx context.Context, namespace, pod string) (kubelet.Sandbox, error) {
	found, err := c.clients.CoreV1().Pods(namespace).Get(ctx, pod, metav1.GetOptions{})
	if err != nil {
		return kubelet.Sandbox{}, fmt.Errorf("find the sandbox of pod %s: %w", pod, err)
	}
	return c.kubelet.SandboxOf(found)
}
