package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/apitable"
)

// Discover asks which resources the server serves. Groups that do not answer, or not
// with their resources, are named in the catalog; the others are in it.
func Discover(ctx context.Context, c *client.Connection) (*apitable.Catalog, error) {
	asking, err := c.Discovery()
	if err != nil {
		return nil, err
	}
	var groups []*metav1.APIGroup
	var lists []*metav1.APIResourceList
	err = c.Ask(ctx, func(context.Context) error {
		groups, lists, err = asking.ServerGroupsAndResources()
		return err
	})
	failed, partial := discovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !partial {
		return nil, fmt.Errorf("asking which resources the cluster serves: %s", client.Answer(err))
	}
	catalog := &apitable.Catalog{Resources: resourcesOf(groups, lists)}
	for gv := range failed {
		catalog.Failed = append(catalog.Failed, gv.String())
	}
	catalog.Failed = append(catalog.Failed, withoutResources(groups, catalog.Resources)...)
	slices.Sort(catalog.Failed)
	catalog.Failed = slices.Compact(catalog.Failed)
	return catalog, nil
}

// withoutResources names the versions of which no resource came, and groups without a
// version: servers have none such. client-go takes {} in the place of a list for one of
// nothing (discovery_client.go of v0.36), and an /api without versions for a server
// without a core.
func withoutResources(groups []*metav1.APIGroup, all []apitable.Resource) (names []string) {
	core := metav1.APIGroup{Versions: []metav1.GroupVersionForDiscovery{{Version: "v1"}}}
	for _, group := range append(groups, &core) {
		if len(group.Versions) == 0 && group.Name != "" {
			names = append(names, group.Name)
		}
		for _, version := range group.Versions {
			if !slices.ContainsFunc(all, func(r apitable.Resource) bool { return r.Group == group.Name && r.Version == version.Version }) {
				names = append(names, schema.GroupVersion{Group: group.Name, Version: version.Version}.String())
			}
		}
	}
	return names
}

// resourcesOf lists resources in the order of the server's groups.
func resourcesOf(groups []*metav1.APIGroup, lists []*metav1.APIResourceList) []apitable.Resource {
	served := map[schema.GroupVersion][]metav1.APIResource{}
	for _, list := range lists {
		if gv, err := schema.ParseGroupVersion(list.GroupVersion); err == nil {
			served[gv] = append(served[gv], list.APIResources...)
		}
	}
	var all []apitable.Resource
	for _, group := range groups {
		preferred := map[string]bool{} // plurals that a version before had
		for _, version := range inOrder(group) {
			gv := schema.GroupVersion{Group: group.Name, Version: version}
			for _, r := range resourcesIn(gv, served[gv]) {
				r.Preferred = !preferred[r.Plural]
				preferred[r.Plural] = true
				all = append(all, r)
			}
		}
	}
	return all
}

// inOrder lists the versions of a group, the preferred one first.
func inOrder(group *metav1.APIGroup) []string {
	versions := []string{group.PreferredVersion.Version}
	for _, v := range group.Versions {
		if !slices.Contains(versions, v.Version) {
			versions = append(versions, v.Version)
		}
	}
	return versions
}

// resourcesIn lists the resources of one version; subresources only mark their resource.
func resourcesIn(gv schema.GroupVersion, served []metav1.APIResource) []apitable.Resource {
	byPlural := map[string]*apitable.Resource{}
	var order []string
	for i := range served {
		r := &served[i]
		if strings.Contains(r.Name, "/") {
			continue
		}
		order = append(order, r.Name)
		byPlural[r.Name] = &apitable.Resource{
			Group: gv.Group, Version: gv.Version, Plural: r.Name, Singular: r.SingularName,
			ShortNames: r.ShortNames, Kind: r.Kind, Namespaced: r.Namespaced, Verbs: r.Verbs,
		}
	}
	for i := range served {
		plural, sub, is := strings.Cut(served[i].Name, "/")
		if of := byPlural[plural]; is && of != nil {
			of.Scalable = of.Scalable || sub == "scale"
			of.PathOnly = of.PathOnly || len(of.Verbs) == 0 && len(served[i].Verbs) > 0
		}
	}
	slices.Sort(order)
	all := make([]apitable.Resource, 0, len(byPlural))
	for _, plural := range slices.Compact(order) {
		all = append(all, *byPlural[plural])
	}
	return all
}

// Known are the kinds of a catalog, for actions that look them up.
func Known(catalog *apitable.Catalog) map[schema.GroupKind]client.Resource {
	known := map[schema.GroupKind]client.Resource{}
	for _, r := range catalog.Resources {
		if r.Preferred && r.Can("get") {
			known[schema.GroupKind{Group: r.Group, Kind: r.Kind}] = resourceOf(r.In(""))
		}
	}
	return known
}

// resourceOf is the resource of a table for the connection.
func resourceOf(s apitable.Listing) client.Resource {
	return client.Resource{
		Kind:          schema.GroupKind{Group: s.Group, Kind: s.Kind},
		Gvr:           schema.GroupVersionResource{Group: s.Group, Version: s.Version, Resource: s.Plural},
		ClusterScoped: !s.Namespaced,
	}
}
