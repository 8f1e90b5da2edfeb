package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/discovery"
)

// aggregatedDiscovery requests all groups with all their resources in one
// answer (Kubernetes 1.26 and later). The last media type is for older
// servers, which answer with a list of groups.
const aggregatedDiscovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
	"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"

// Apis lists the APIs that the server serves besides its core.
type Apis struct {
	// Served maps every kind in every readable version to its plural and
	// scope.
	Served map[schema.GroupVersionKind]servedAs
	// unknown are versions whose server did not answer, as that of a broken
	// aggregated API, or did not answer with their resources. A version "" is a
	// whole group. Their kinds may or may not exist.
	unknown map[schema.GroupVersion]string
	// groups are those with at least one version, versions all of those.
	groups   map[string]bool
	versions map[schema.GroupVersion]bool
}

type servedAs struct {
	resource      string
	clusterScoped bool
}

// Discover reads which APIs are served. wanted selects the group versions that
// matter to the caller; without aggregated discovery only those are requested,
// one by one.
func Discover(ctx context.Context, c *Connection, wanted func(schema.GroupVersion) bool) (found *Apis, err error) {
	err = Within(ctx, 3*cmp.Or(c.Timeout, ProbeLimit), func(ctx context.Context) error {
		found, err = c.discover(ctx, wanted)
		return err
	})
	return found, err
}

func (c *Connection) discover(ctx context.Context, wanted func(schema.GroupVersion) bool) (*Apis, error) {
	result := c.Core.Get().AbsPath("/apis").SetHeader("Accept", aggregatedDiscovery).Do(ctx)
	body, err := result.Raw()
	if err != nil {
		return nil, cmp.Or(result.Error(), err) // unlike Raw's error, it has the server's text
	}
	var answer struct {
		Kind     string `json:"kind"`
		Metadata struct {
			Continue  string `json:"continue"`
			Remaining int64  `json:"remainingItemCount"`
		} `json:"metadata"`
		Groups []struct {
			Name     string `json:"name"`
			Versions []struct {
				Version string `json:"version"`
			} `json:"versions"`
		} `json:"groups"` // APIGroupList
		Items []aggregatedGroup `json:"items"` // APIGroupDiscoveryList
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("reading what /apis answers: %w", err)
	}
	if answer.Metadata.Continue != "" || answer.Metadata.Remaining > 0 { // API servers never page it
		return nil, errors.New("reading what /apis answers: it is only a part of the groups, and says that more follow")
	}
	found := newAPIs()
	switch answer.Kind {
	case "APIGroupDiscoveryList":
		for _, group := range answer.Items {
			found.addAggregated(group)
		}
	case "APIGroupList":
		var asked []schema.GroupVersion
		for _, group := range answer.Groups {
			found.noteVersions(group.Name, len(group.Versions))
			for _, version := range group.Versions {
				found.groups[group.Name] = true
				gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
				found.versions[gv] = true
				if wanted(gv) {
					asked = append(asked, gv)
				}
			}
		}
		found.addVersions(ctx, c, asked)
	default:
		return nil, fmt.Errorf("reading what /apis answers: a list of groups was expected, not %q", Printable(answer.Kind))
	}
	if !found.groups[everyClusterHas] {
		return nil, fmt.Errorf("reading what /apis answers: it names no group %s, which every cluster serves, so it is not all", everyClusterHas)
	}
	return found, nil
}

// everyClusterHas is a group that every API server serves: an answer without it
// is not complete, as those of broken caches and proxies are.
const everyClusterHas = "batch"

// OtherVersions returns the versions in which a kind is served, the preferred
// one first.
func (a *Apis) OtherVersions(kind schema.GroupKind) []string {
	var versions []string
	for gvk := range a.Served {
		if gvk.GroupKind() == kind {
			versions = append(versions, gvk.Version)
		}
	}
	slices.SortFunc(versions, func(x, y string) int { return version.CompareKubeAwareVersionStrings(y, x) })
	return versions
}

// ServesAs returns the plural under which a kind is served in a version, and
// whether its objects are in no namespace.
func (a *Apis) ServesAs(gvk schema.GroupVersionKind) (resource string, clusterScoped, served bool) {
	as, served := a.Served[gvk]
	return as.resource, as.clusterScoped, served
}

// Namespaced returns the plurals of the kinds that are served in namespaces.
func (a *Apis) Namespaced() map[schema.GroupKind]string {
	plurals := map[schema.GroupKind]string{}
	for gvk, as := range a.Served {
		if !as.clusterScoped {
			plurals[gvk.GroupKind()] = as.resource
		}
	}
	return plurals
}

// HasVersion reports whether discovery names a version, whatever it serves.
func (a *Apis) HasVersion(gv schema.GroupVersion) bool { return a.versions[gv] }

// WhyUnknown returns why it is not known what a version serves; unknown is false
// where that is known.
func (a *Apis) WhyUnknown(gv schema.GroupVersion) (why string, unknown bool) {
	if why, unknown = a.unknown[gv]; !unknown {
		why, unknown = a.unknown[schema.GroupVersion{Group: gv.Group}]
	}
	return why, unknown
}

// noteVersions marks a group without versions as unknown: servers name none.
func (a *Apis) noteVersions(group string, versions int) {
	if versions == 0 {
		a.unknown[schema.GroupVersion{Group: group}] = "discovery names no version of " + Printable(group)
	}
}

func newAPIs() *Apis {
	return &Apis{
		Served:  map[schema.GroupVersionKind]servedAs{},
		unknown: map[schema.GroupVersion]string{}, groups: map[string]bool{}, versions: map[schema.GroupVersion]bool{},
	}
}

// aggregatedGroup has the fields that we read of an APIGroupDiscovery.
type aggregatedGroup struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Versions []struct {
		Version   string `json:"version"`
		Freshness string `json:"freshness"` // Current or Stale
		Resources []struct {
			Resource     string `json:"resource"`
			Scope        string `json:"scope"`
			ResponseKind *struct {
				Kind string `json:"kind"`
			} `json:"responseKind"`
		} `json:"resources"`
	} `json:"versions"`
}

func (a *Apis) addAggregated(group aggregatedGroup) {
	a.noteVersions(group.Metadata.Name, len(group.Versions))
	for _, version := range group.Versions {
		gv := schema.GroupVersion{Group: group.Metadata.Name, Version: version.Version}
		a.groups[gv.Group], a.versions[gv] = true, true
		if version.Freshness == "Stale" {
			a.unknown[gv] = "the server behind " + gv.String() + " does not answer"
		} else if len(version.Resources) == 0 {
			a.unknown[gv] = noResources(gv)
		}
		for _, r := range version.Resources {
			if r.ResponseKind != nil {
				a.Served[gv.WithKind(r.ResponseKind.Kind)] = servedAs{resource: r.Resource, clusterScoped: r.Scope == "Cluster"}
			} else if a.unknown[gv] == "" {
				a.unknown[gv] = withoutKind(gv, r.Resource)
			}
		}
	}
}

func noResources(gv schema.GroupVersion) string {
	return "discovery names no resource of " + gv.String()
}

func withoutKind(gv schema.GroupVersion, resource string) string {
	return "discovery names " + Printable(resource) + " of " + gv.String() + " without its kind"
}

// versionsAtOnce limits the versions requested at the same time.
const versionsAtOnce = 8

// addVersions requests what each version serves, several at once.
func (a *Apis) addVersions(ctx context.Context, c *Connection, versions []schema.GroupVersion) {
	answers := make([]func(), len(versions))
	var asking sync.WaitGroup
	turns := make(chan struct{}, versionsAtOnce)
	for i, gv := range versions {
		turns <- struct{}{}
		asking.Go(func() {
			defer func() { <-turns }()
			answers[i] = a.askVersion(ctx, c, gv)
		})
	}
	asking.Wait()
	for _, add := range answers {
		add()
	}
}

func (a *Apis) addVersion(ctx context.Context, c *Connection, gv schema.GroupVersion) {
	a.askVersion(ctx, c, gv)()
}

// askVersion requests what a version serves, and returns a function that adds
// the answer.
func (a *Apis) askVersion(ctx context.Context, c *Connection, gv schema.GroupVersion) func() {
	path := []string{"/apis", gv.Group, gv.Version}
	if gv.Group == "" {
		path = []string{"/api", gv.Version}
	}
	body, err := c.Core.Get().AbsPath(path...).SetHeader("Accept", "application/json").Do(ctx).Raw()
	var answer servedList
	if err == nil {
		err = json.Unmarshal(body, &answer)
	}
	if err == nil {
		err = answer.check(gv)
	}
	if err != nil {
		return func() { a.unknown[gv] = "asking what " + gv.String() + " serves: " + Cause(err) }
	}
	return func() { a.addServed(gv, &answer) }
}

// servedList has the fields that we read of an APIResourceList.
type servedList struct {
	Kind         string `json:"kind"`
	GroupVersion string `json:"groupVersion"`
	Message      string `json:"message"` // of a Status in its place
	Resources    []struct {
		Name       string `json:"name"`
		Kind       string `json:"kind"`
		Namespaced bool   `json:"namespaced"`
	} `json:"resources"`
}

// check returns an error for an answer that is not the list of a version. Servers
// always send the kind and groupVersion (no omitempty in k8s.io/apimachinery v0.36's
// APIResourceList, and the kind by its endpoints).
func (l *servedList) check(gv schema.GroupVersion) error {
	switch {
	case l.Kind == "Status":
		return fmt.Errorf("the answer is no APIResourceList of %s but a Status: %s", gv, Printable(l.Message))
	case l.Kind == "APIResourceList" && l.GroupVersion != "" && l.GroupVersion != gv.String():
		return fmt.Errorf("the answer is the APIResourceList of %s, not of %s", Printable(l.GroupVersion), gv)
	case l.Kind != "APIResourceList" || l.GroupVersion == "":
		return fmt.Errorf("the answer is no APIResourceList of %s: its kind is %q, its groupVersion %q", gv, Printable(l.Kind), Printable(l.GroupVersion))
	}
	return nil
}

func (a *Apis) addServed(gv schema.GroupVersion, answer *servedList) {
	if len(answer.Resources) == 0 {
		a.unknown[gv] = noResources(gv)
	}
	for _, r := range answer.Resources {
		switch {
		case strings.Contains(r.Name, "/"): // pods/log and the like
		case r.Kind == "":
			a.unknown[gv] = withoutKind(gv, r.Name)
		default:
			a.Served[gv.WithKind(r.Kind)] = servedAs{resource: r.Name, clusterScoped: !r.Namespaced}
		}
	}
}

// preferred returns the most stable, newest version that serves a kind.
func (a *Apis) preferred(kind schema.GroupKind) (best schema.GroupVersionKind, as servedAs, found bool) {
	for gvk, candidate := range a.Served {
		if gvk.GroupKind() != kind {
			continue
		}
		if !found || version.CompareKubeAwareVersionStrings(gvk.Version, best.Version) > 0 {
			best, as, found = gvk, candidate, true
		}
	}
	return best, as, found
}

// Discovery is client-go's client for what the server serves, over the connection.
func (c *Connection) Discovery() (*discovery.DiscoveryClient, error) {
	asking, err := discovery.NewDiscoveryClientForConfigAndClient(c.Upgraded.Load(), c.http)
	if err != nil {
		return nil, fmt.Errorf("preparing the client for %s: %w", c.Address, err)
	}
	return asking, nil
}
