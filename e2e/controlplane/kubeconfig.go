package controlplane

import (
	"fmt"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// administrators is the group that Kubernetes allows everything.
const administrators = "system:masters"

// writeKubeconfig writes a kubeconfig for a user with a client certificate,
// whole in one file. namespace is the context's own, "" for none.
func (c *ControlPlane) writeKubeconfig(user string, pair keyPair, namespace string) (string, error) {
	const cluster = "traintop-e2e"
	config := api.Config{
		CurrentContext: cluster,
		Clusters:       map[string]*api.Cluster{cluster: {Server: c.URL(), CertificateAuthorityData: c.ca.pem}},
		AuthInfos:      map[string]*api.AuthInfo{user: {ClientCertificateData: pair.certificate, ClientKeyData: pair.key}},
		Contexts:       map[string]*api.Context{cluster: {Cluster: cluster, AuthInfo: user, Namespace: namespace}},
	}
	path := filepath.Join(c.Dir, user+".kubeconfig")
	if err := clientcmd.WriteToFile(config, path); err != nil {
		return "", fmt.Errorf("write the kubeconfig of %s: %w", user, err)
	}
	return path, nil
}
