package client

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/traintop/traintop/sources/localfile"
)

// Context is one entry of the kubeconfig.
type Context struct {
	Name, Cluster, User, Namespace string
	// Current is true for the context in use, including --context.
	Current bool
}

// Contexts lists the contexts of the kubeconfig by name. It makes no request.
func Contexts(flags *genericclioptions.ConfigFlags) ([]Context, error) {
	raw, err := rawConfig(flags)
	if err != nil {
		return nil, err
	}
	current := cmp.Or(value(flags.Context), raw.CurrentContext)
	contexts := make([]Context, 0, len(raw.Contexts))
	for name, c := range raw.Contexts {
		contexts = append(contexts, Context{
			Name: name, Cluster: c.Cluster, User: c.AuthInfo,
			Namespace: cmp.Or(c.Namespace, "default"), Current: name == current,
		})
	}
	slices.SortFunc(contexts, func(a, b Context) int { return cmp.Compare(a.Name, b.Name) })
	return contexts, nil
}

func currentContext(flags *genericclioptions.ConfigFlags) (string, error) {
	raw, err := rawConfig(flags)
	if err != nil {
		return "", err
	}
	return cmp.Or(value(flags.Context), raw.CurrentContext), nil
}

func rawConfig(flags *genericclioptions.ConfigFlags) (clientcmdapi.Config, error) {
	for _, file := range kubeconfigFiles(flags) {
		if err := localfile.Check(file); err != nil {
			return clientcmdapi.Config{}, fmt.Errorf("reading the kubeconfig: %w", err)
		}
	}
	raw, err := flags.ToRawKubeConfigLoader().RawConfig()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return raw, NoKubeconfig(flags, err)
	case err != nil:
		return raw, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	return raw, nil
}

// readConfig first checks errors that clientcmd would hide: without any
// kubeconfig it uses localhost:8080, which helps nobody.
func readConfig(flags *genericclioptions.ConfigFlags) (*rest.Config, error) {
	raw, err := rawConfig(flags)
	if err != nil {
		return nil, err
	}
	if err := checkContext(flags, raw); err != nil {
		return nil, err
	}
	if err := checkNamedFiles(flags, raw); err != nil {
		return nil, err
	}
	config, err := flags.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	return config, nil
}

func checkContext(flags *genericclioptions.ConfigFlags, raw clientcmdapi.Config) error {
	name := cmp.Or(value(flags.Context), raw.CurrentContext)
	if _, known := raw.Contexts[name]; known && name != "" {
		return checkParts(flags, raw, name)
	}
	if name != "" && (len(raw.Contexts) > 0 || value(flags.Context) != "") {
		return &UnknownContextError{Name: name, Known: contextNames(raw)}
	}
	if value(flags.APIServer) != "" || value(flags.ClusterName) != "" {
		return nil
	}
	if _, err := rest.InClusterConfig(); err == nil {
		return nil
	}
	if len(raw.Contexts) > 0 {
		return &UnknownContextError{Known: contextNames(raw)}
	}
	return NoKubeconfig(flags, nil)
}

func NoKubeconfig(flags *genericclioptions.ConfigFlags, cause error) *NoKubeconfigError {
	e := &NoKubeconfigError{Tried: kubeconfigFiles(flags), NamedBy: namedBy(flags), Cause: cause}
	for _, file := range e.Tried {
		if _, err := os.Stat(file); err == nil {
			e.exist = true
		}
	}
	return e
}

// namedBy returns the flag or variable that names the kubeconfig, "" for the
// default path.
func namedBy(flags *genericclioptions.ConfigFlags) string {
	switch {
	case value(flags.KubeConfig) != "":
		return "--kubeconfig"
	case os.Getenv(clientcmd.RecommendedConfigPathEnvVar) != "":
		return clientcmd.RecommendedConfigPathEnvVar
	}
	return ""
}

func contextNames(raw clientcmdapi.Config) []string {
	names := make([]string, 0, len(raw.Contexts))
	for name := range raw.Contexts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func kubeconfigFiles(flags *genericclioptions.ConfigFlags) []string {
	if file := value(flags.KubeConfig); file != "" {
		return []string{file}
	}
	anchorHomeFile()
	files := clientcmd.NewDefaultClientConfigLoadingRules().Precedence
	return slices.DeleteFunc(files, func(file string) bool { return file == "" })
}

// freshFlags returns the same flags without cached files.
func freshFlags(f *genericclioptions.ConfigFlags) *genericclioptions.ConfigFlags {
	fresh := genericclioptions.NewConfigFlags(false)
	fresh.KubeConfig, fresh.Context, fresh.ClusterName, fresh.AuthInfoName = f.KubeConfig, f.Context, f.ClusterName, f.AuthInfoName
	fresh.Namespace, fresh.APIServer, fresh.TLSServerName, fresh.Insecure = f.Namespace, f.APIServer, f.TLSServerName, f.Insecure
	fresh.CertFile, fresh.KeyFile, fresh.CAFile = f.CertFile, f.KeyFile, f.CAFile
	fresh.BearerToken, fresh.Username, fresh.Password = f.BearerToken, f.Username, f.Password
	fresh.Impersonate, fresh.ImpersonateUID, fresh.ImpersonateGroup = f.Impersonate, f.ImpersonateUID, f.ImpersonateGroup
	fresh.ImpersonateUserExtra = f.ImpersonateUserExtra
	fresh.Timeout, fresh.DisableCompression, fresh.WrapConfigFn = f.Timeout, f.DisableCompression, f.WrapConfigFn
	return fresh
}

func value(flag *string) string {
	if flag == nil {
		return ""
	}
	return *flag
}
