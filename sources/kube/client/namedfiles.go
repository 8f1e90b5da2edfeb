package client

import (
	"cmp"
	"fmt"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/traintop/traintop/sources/localfile"
)

// checkNamedFiles refuses files of credentials and certificates, named by the
// context in use or by flags, that client-go would read for ever: it opens them
// without a deadline and reads them without a limit (client-go 0.36,
// clientcmd.getUserIdentificationPartialConfig, transport.dataFromSliceOrFile).
func checkNamedFiles(flags *genericclioptions.ConfigFlags, raw clientcmdapi.Config) error {
	about, cluster, user := raw.Contexts[cmp.Or(value(flags.Context), raw.CurrentContext)], &clientcmdapi.Cluster{}, &clientcmdapi.AuthInfo{}
	if about == nil {
		about = &clientcmdapi.Context{}
	}
	if found := raw.Clusters[cmp.Or(value(flags.ClusterName), about.Cluster)]; found != nil {
		cluster = found
	}
	if found := raw.AuthInfos[cmp.Or(value(flags.AuthInfoName), about.AuthInfo)]; found != nil {
		user = found
	}
	for _, file := range []struct{ setting, path string }{
		{"certificate-authority", cmp.Or(value(flags.CAFile), cluster.CertificateAuthority)},
		{"client-certificate", cmp.Or(value(flags.CertFile), user.ClientCertificate)},
		{"client-key", cmp.Or(value(flags.KeyFile), user.ClientKey)},
		{"tokenFile", user.TokenFile},
	} {
		if file.path == "" {
			continue
		}
		if err := localfile.Check(file.path); err != nil {
			return fmt.Errorf("reading %s of the kubeconfig: %w", file.setting, err)
		}
	}
	return nil
}
