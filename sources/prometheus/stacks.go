package prometheus

import "slices"

// stack is one way in which a server of the Prometheus API is installed.
type stack struct {
	name string
	// labels are those of its Service. known are Services, as namespace/name, to
	// try when listing Services is forbidden.
	labels map[string]string
	known  []string
	// ports are names of the Service's port, the best first; number is its usual
	// number.
	ports  []string
	number int32
	https  bool
	// prefix precedes /api/v1.
	prefix string
}

// stacks are tried in this order: first those that join several servers, then
// single ones. If several answer, one that has metrics of GPUs is chosen. Labels
// and ports are those that the named charts and manifests give their Services, and
// those that robusta-dev/robusta integrations/prometheus/utils.py lists from
// practice. No version is pinned, and what does not answer is skipped.
var stacks = []stack{
	{ // cluster-monitoring-operator
		name: "OpenShift's Thanos querier", labels: labels("app.kubernetes.io/part-of=openshift-monitoring", "app.kubernetes.io/name=thanos-query"),
		known: []string{"openshift-monitoring/thanos-querier"}, ports: []string{"web"}, number: 9091, https: true,
	},
	{ // kube-thanos, and the charts after it
		name: "Thanos query", labels: labels("app.kubernetes.io/name=thanos-query"),
		known: []string{"monitoring/thanos-query", "thanos/thanos-query"}, ports: []string{"http"}, number: 9090,
	},
	{name: "Thanos query", labels: labels("app.kubernetes.io/name=thanos", "app.kubernetes.io/component=query"), ports: []string{"http"}, number: 9090},
	{name: "Thanos query", labels: labels("app.kubernetes.io/name=thanos", "app.kubernetes.io/component=query-frontend"), ports: []string{"http"}, number: 9090},
	{ // VictoriaMetrics operator
		name: "VictoriaMetrics cluster", labels: labels("app.kubernetes.io/name=vmselect"),
		ports: []string{"http"}, number: 8481, prefix: "/select/0/prometheus",
	},
	{ // chart victoria-metrics-cluster
		name: "VictoriaMetrics cluster", labels: labels("app=vmselect"),
		ports: []string{"http"}, number: 8481, prefix: "/select/0/prometheus",
	},
	{name: "VictoriaMetrics", labels: labels("app.kubernetes.io/name=vmsingle"), ports: []string{"http"}, number: 8429},
	{name: "VictoriaMetrics", labels: labels("app.kubernetes.io/name=victoria-metrics-single"), ports: []string{"http"}, number: 8428},
	{ // chart mimir-distributed
		name: "Mimir", labels: labels("app.kubernetes.io/name=mimir", "app.kubernetes.io/component=gateway"),
		known: []string{"mimir/mimir-gateway"}, ports: []string{"http-metric", "http"}, number: 80, prefix: "/prometheus",
	},
	{name: "Mimir", labels: labels("app.kubernetes.io/name=mimir", "app.kubernetes.io/component=nginx"), ports: []string{"http-metric", "http"}, number: 80, prefix: "/prometheus"},
	{name: "Mimir", labels: labels("app.kubernetes.io/name=mimir", "app.kubernetes.io/component=query-frontend"), ports: []string{"http-metrics"}, number: 8080, prefix: "/prometheus"},
	{name: "Cortex", labels: labels("app.kubernetes.io/name=cortex", "app.kubernetes.io/component=query-frontend"), ports: []string{"http-metrics"}, number: 8080, prefix: "/prometheus"},
	{ // chart kube-prometheus-stack
		name: "kube-prometheus-stack", labels: labels("app=kube-prometheus-stack-prometheus"),
		known: []string{"monitoring/prometheus-kube-prometheus-prometheus", "monitoring/kube-prometheus-stack-prometheus", "prometheus/kube-prometheus-stack-prometheus"},
		ports: []string{"http-web", "web"}, number: 9090,
	},
	{name: "Rancher monitoring", labels: labels("app=rancher-monitoring-prometheus"), known: []string{"cattle-monitoring-system/rancher-monitoring-prometheus"}, ports: []string{"http-web"}, number: 9090},
	{name: "Prometheus operator", labels: labels("app=prometheus-operator-prometheus"), ports: []string{"web"}, number: 9090},
	{ // kube-prometheus
		name: "kube-prometheus", labels: labels("app.kubernetes.io/name=prometheus", "app.kubernetes.io/component=prometheus"),
		known: []string{"monitoring/prometheus-k8s", "openshift-monitoring/prometheus-k8s"}, ports: []string{"web"}, number: 9090,
	},
	{ // the Prometheus operator makes it for every Prometheus, without an address of its own
		name: "Prometheus operator", labels: labels("operated-prometheus=true"),
		known: []string{"monitoring/prometheus-operated", "prometheus/prometheus-operated"}, ports: []string{"web", "http-web"}, number: 9090,
	},
	{ // chart prometheus
		name: "Prometheus", labels: labels("app.kubernetes.io/name=prometheus", "app.kubernetes.io/component=server"),
		known: []string{"monitoring/prometheus-server", "prometheus/prometheus-server", "default/prometheus-server"}, ports: []string{"http"}, number: 80,
	},
	{name: "Prometheus", labels: labels("app=prometheus", "component=server"), ports: []string{"http"}, number: 80},
	{name: "Prometheus", labels: labels("app=prometheus-server"), ports: []string{"http", "web"}, number: 9090},
	{name: "Prometheus", labels: labels("app=prometheus"), ports: []string{"web", "http", "http-web"}, number: 9090},
	{name: "Prometheus", labels: labels("app.kubernetes.io/name=prometheus"), ports: []string{"web", "http", "http-web"}, number: 9090},
}

func labels(pairs ...string) map[string]string {
	all := map[string]string{}
	for _, pair := range pairs {
		for i := range pair {
			if pair[i] == '=' {
				all[pair[:i]] = pair[i+1:]
				break
			}
		}
	}
	return all
}

// selectors returns a few label selectors that find the Services of all stacks:
// `app in (...)`, and so on. matches drops other Services that they find.
func selectors() []string {
	values := map[string][]string{}
	var keys []string
	for _, s := range stacks {
		key := chiefLabel(s.labels)
		if values[key] == nil {
			keys = append(keys, key)
		}
		if !slices.Contains(values[key], s.labels[key]) {
			values[key] = append(values[key], s.labels[key])
		}
	}
	var all []string
	for _, key := range keys {
		text := key + " in ("
		for i, value := range values[key] {
			if i > 0 {
				text += ","
			}
			text += value
		}
		all = append(all, text+")")
	}
	return all
}

// chiefLabel is the most specific label.
func chiefLabel(labels map[string]string) string {
	for _, key := range []string{"app.kubernetes.io/name", "app", "operated-prometheus"} {
		if labels[key] != "" {
			return key
		}
	}
	return ""
}

func (s *stack) matches(labels map[string]string) bool {
	for key, value := range s.labels {
		if labels[key] != value {
			return false
		}
	}
	return true
}

// portOf returns the port of a Service to connect to; its name may be "".
func (s *stack) portOf(service *Service) (number int32, https bool) {
	port := Port{Number: s.number}
	if len(service.Ports) > 0 {
		port = service.Ports[0]
	}
	score := 0
	for _, candidate := range service.Ports {
		at := slices.Index(s.ports, candidate.Name)
		worth := 0
		switch {
		case at >= 0:
			worth = 2 + len(s.ports) - at
		case candidate.Number == s.number:
			worth = 1
		}
		if worth > score {
			port, score = candidate, worth
		}
	}
	return port.Number, s.https || port.HTTPS
}
