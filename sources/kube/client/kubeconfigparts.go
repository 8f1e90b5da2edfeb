package client

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// MissingPartError reports that a context names a cluster or a user that the
// kubeconfig does not have. clientcmd would then use localhost:8080, or no
// credentials.
type MissingPartError struct {
	Context string
	// File is the file with the context, "" if unknown.
	File string
	// Part is "cluster" or "user", Name its name.
	Part, Name string
	// Known are those in the kubeconfig.
	Known []string
	// NoServer is true if the cluster exists without an address.
	NoServer bool
}

// Error names context, part and file, and what to do.
func (e *MissingPartError) Error() string {
	where := "the kubeconfig"
	if e.File != "" {
		where += " " + e.File
	}
	switch {
	case e.NoServer:
		return fmt.Sprintf("cluster %q of context %q has no server in %s; add its address there, or give --server", e.Name, e.Context, where)
	case e.Name == "":
		return fmt.Sprintf("context %q names no %s in %s; it has %s: name one there, choose another --context, or give --%s", e.Context, e.Part, where, List(e.Known), e.Part)
	}
	return fmt.Sprintf("context %q names the %s %q, which is not in %s; it has %s: mend it there, choose another --context, or give --%s",
		e.Context, e.Part, e.Name, where, List(e.Known), e.Part)
}

// checkParts finds references of a context that the kubeconfig does not have.
func checkParts(flags *genericclioptions.ConfigFlags, raw clientcmdapi.Config, name string) error {
	about := raw.Contexts[name]
	missing := MissingPartError{Context: name, File: about.LocationOfOrigin}
	cluster := cmp.Or(value(flags.ClusterName), about.Cluster)
	if found := raw.Clusters[cluster]; value(flags.APIServer) == "" && (found == nil || found.Server == "") {
		missing.Part, missing.Name, missing.NoServer = "cluster", cluster, found != nil
		missing.Known = slices.Sorted(maps.Keys(raw.Clusters))
		return &missing
	}
	user := cmp.Or(value(flags.AuthInfoName), about.AuthInfo)
	if raw.AuthInfos[user] == nil && user != "" && !bringsCredentials(flags) {
		missing.Part, missing.Name, missing.Known = "user", user, slices.Sorted(maps.Keys(raw.AuthInfos))
		return &missing
	}
	return nil
}

// bringsCredentials reports whether flags provide credentials.
func bringsCredentials(flags *genericclioptions.ConfigFlags) bool {
	return cmp.Or(value(flags.BearerToken), value(flags.CertFile), value(flags.Username)) != ""
}
