package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/sources/prometheus"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// prometheusFlag names the flag; its value is a URL or "off".
const prometheusFlag = "prometheus"

// prometheusOf are the settings for a session: the configuration's and the
// flag's. Credentials go only to the server that they were configured for.
func (o *opening) prometheusOf(s *session) prometheus.Settings {
	var settings prometheus.Settings
	if set := o.loaded.config.In(s.context).Prometheus; set != nil {
		settings = *set
	}
	if o.prometheus == "" {
		return settings
	}
	if o.prometheus != prometheus.Off && !sameServer(settings.URL, o.prometheus) {
		settings = prometheus.Settings{Match: settings.Match}
	}
	settings.URL = o.prometheus
	return settings
}

// sameServer reports whether two URLs lead to one server, or the first to none
// yet.
func sameServer(configured, typed string) bool {
	a, errA := url.Parse(configured)
	b, errB := url.Parse(typed)
	return errA == nil && errB == nil && (configured == "" || a.Scheme == b.Scheme && a.Host == b.Host)
}

// openPrometheus reads a server of the Prometheus API beside the cluster. past
// is how much of the time before now it backfills; pods whether it reads the
// usage of nodes and pods beside GPUs.
func (o *opening) openPrometheus(s *session, past time.Duration, pods bool) error {
	if s.cluster == nil {
		return nil
	}
	settings := o.prometheusOf(s)
	if settings.URL == prometheus.Off {
		return nil
	}
	options := prometheus.Options{Cluster: prometheusCluster{s.cluster}, Match: settings.Match, Past: past, AwaitPast: s.once, Now: o.app.clock,
		Inventory: func() prometheus.Inventory { return inventory{s.store.Snapshot()} }}
	if settings.URL != "" {
		endpoint, err := settings.Endpoint()
		if err != nil {
			return o.wrongPrometheus(err)
		}
		options.Endpoint = endpoint
	}
	if pods {
		options.Pods = func() []prometheus.Pod { return podsOfJobs(s.store.Snapshot()) }
	}
	source := prometheus.New(options)
	s.cluster.SetCovered(source.Covers)
	s.store.Apply(prometheus.Connecting(o.app.clock()))
	s.source = beside{s.source, source}
	return nil
}

// wrongPrometheus names the place of the setting that cannot be used.
func (o *opening) wrongPrometheus(err error) error {
	if o.prometheus != "" {
		return &usageError{"traintop", fmt.Errorf("--%s: %w", prometheusFlag, err)}
	}
	return fmt.Errorf("the configuration %s: %w", config.Path(), err)
}

// podsOfJobs are the pods of training jobs.
func podsOfJobs(snapshot *store.Snapshot) []prometheus.Pod {
	var pods []prometheus.Pod
	for _, job := range snapshot.Jobs() {
		for i := range job.Ranks {
			if job.Training && job.Ranks[i].Pod != "" {
				pods = append(pods, prometheus.Pod{Namespace: job.Ref.Namespace, Name: job.Ranks[i].Pod})
			}
		}
	}
	return pods
}

// inventory is what a snapshot has of the cluster.
type inventory struct{ *store.Snapshot }

// HasNode implements prometheus.Inventory.
func (i inventory) HasNode(name string) bool { return i.Node(name) != nil }

// HasPod implements prometheus.Inventory.
func (i inventory) HasPod(namespace, name string) bool { return i.Pod(namespace, name) != nil }

// Machines implements prometheus.Inventory.
func (i inventory) Machines() (has func(name string) bool, pending bool) {
	if !i.Complete(kinds.NodeKind, "") {
		return nil, i.listing(kinds.NodeKind)
	}
	if i.listing(kinds.PodKind) {
		return nil, true
	}
	names, allPods := i.machineNames(), i.Complete(kinds.PodKind, "")
	return func(name string) bool { return names[name] || !allPods && mayBePod(name) }, false
}

// listing reports whether a kind's first list has still to come.
func (i inventory) listing(kind schema.GroupKind) bool {
	known := false
	for _, h := range i.Health() {
		if h.Resource == kinds.Plural(kind) && h.Group == kind.Group && strings.HasPrefix(h.Source, "kube/") {
			known = true
			if !h.State.Settled() {
				return true
			}
		}
	}
	return !known
}

// machineNames are the names that exporters write for machines: of nodes, as
// they are, short, and as their addresses and labels have them, and of pods.
func (i inventory) machineNames() map[string]bool {
	names := map[string]bool{}
	i.Objects(kinds.NodeKind, "", func(o kinds.Object) bool {
		all := []string{o.GetName(), o.GetLabels()[corev1.LabelHostname]}
		if node, is := o.(*corev1.Node); is {
			for _, address := range node.Status.Addresses {
				all = append(all, address.Address)
			}
		}
		for _, name := range all {
			short, _, _ := strings.Cut(name, ".")
			names[name], names[short] = true, true
		}
		return true
	})
	i.Objects(kinds.PodKind, "", func(o kinds.Object) bool {
		names[o.GetName()] = true
		return true
	})
	delete(names, "")
	return names
}

// generated ends the names of pods of a DaemonSet or ReplicaSet
// (k8s.io/apimachinery 0.36, util/rand).
var generated = regexp.MustCompile(`-[bcdfghjklmnpqrstvwxz2456789]{5}$`)

func mayBePod(name string) bool {
	return strings.Contains(name, "exporter") || generated.MatchString(name)
}

// beside runs sources next to each other, into the same sink.
type beside []sources.Source

// Run implements sources.Source.
func (b beside) Run(ctx context.Context, sink sources.Sink) error {
	errs := make([]error, len(b))
	var running sync.WaitGroup
	for i, source := range b {
		running.Go(func() { errs[i] = source.Run(ctx, sink) })
	}
	running.Wait()
	return errors.Join(errs...)
}

// prometheusCluster finds Services for the Prometheus source.
type prometheusCluster struct{ *kube.Cluster }

// Services implements prometheus.Cluster.
func (c prometheusCluster) Services(ctx context.Context, selector string) ([]prometheus.Service, error) {
	list, err := c.Cluster.Services(ctx, selector)
	if refused := (*kube.RefusedError)(nil); errors.As(err, &refused) {
		return nil, &prometheus.Refused{Cause: err}
	}
	all := make([]prometheus.Service, 0, len(list))
	for i := range list {
		all = append(all, prometheusService(&list[i]))
	}
	return all, err
}

func prometheusService(service *corev1.Service) prometheus.Service {
	found := prometheus.Service{Namespace: service.Namespace, Name: service.Name, Labels: service.Labels}
	for _, port := range service.Spec.Ports {
		if cmp.Or(port.Protocol, corev1.ProtocolTCP) != corev1.ProtocolTCP {
			continue
		}
		https := port.Name == "https" || port.AppProtocol != nil && strings.EqualFold(*port.AppProtocol, "https")
		found.Ports = append(found.Ports, prometheus.Port{Name: port.Name, Number: port.Port, HTTPS: https})
	}
	return found
}

// Proxied implements prometheus.Cluster.
func (c prometheusCluster) Proxied(namespace, name string, port int32, https bool) (*url.URL, http.RoundTripper) {
	return c.ServiceProxy(namespace, name, port, https)
}
