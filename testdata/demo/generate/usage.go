package generate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// usage is what nodes and containers use of CPU and memory, as metrics-server
// 0.8 answers /apis/metrics.k8s.io/v1beta1/nodes and /pods.
func (c *cluster) usage() (map[string][]byte, error) {
	chance := printed("usage", 0).rand
	var nodes, pods []any
	for _, n := range c.nodes {
		if n.lost > 0 {
			continue
		}
		cores, memory := 1.5, 9e9
		for _, p := range c.pods {
			if p.node != n.name || p.state.word != runs {
				continue
			}
			cpu, bytes := p.uses(chance)
			cores, memory = cores+cpu, memory+bytes
			item := measured("PodMetrics", p.namespace, p.name)
			item["containers"] = []any{object{"name": p.container, "usage": amounts(cpu, bytes)}}
			pods = append(pods, item)
		}
		item := measured("NodeMetrics", "", n.name)
		item["usage"] = amounts(cores, memory)
		nodes = append(nodes, item)
	}
	files := map[string][]byte{}
	for kind, items := range map[string][]any{"Node": nodes, "Pod": pods} {
		text, err := json.Marshal(object{"kind": kind + "MetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "metadata": object{}, "items": items})
		if err != nil {
			return nil, err
		}
		files["metrics/"+strings.ToLower(kind)+"-usage.json.gz"] = packed(text)
	}
	return files, nil
}

// uses is a share of what the pod asks for: all of it and more where its data
// loader is what everything waits for.
func (p *pod) uses(chance *rand.Rand) (cores, bytes float64) {
	cpu, memory := resource.MustParse(p.asks["cpu"]), resource.MustParse(p.asks["memory"])
	share := 0.3 + 0.2*chance.Float64()
	switch {
	case strings.HasPrefix(p.name, "qwen3-sft"):
		share = 1.85 + 0.02*chance.Float64() // no limit holds it: it asks for half of its node
	case strings.HasPrefix(p.name, "sdxl-base"), strings.HasPrefix(p.name, "mnist-big"), strings.HasPrefix(p.name, "hubert-xl"):
		share = 0.01
	}
	return cpu.AsApproximateFloat64() * share, memory.AsApproximateFloat64() * (0.4 + 0.2*chance.Float64())
}

func measured(kind, namespace, name string) object {
	m := object{"name": name, "creationTimestamp": stamp(now.Add(-2 * time.Second))}
	if namespace != "" {
		m["namespace"] = namespace
	}
	return object{"kind": kind, "metadata": m, "timestamp": stamp(now.Add(-11 * time.Second)), "window": "15.021s"}
}

func amounts(cores, bytes float64) object {
	return object{"cpu": fmt.Sprintf("%dn", int64(cores*1e9)), "memory": fmt.Sprintf("%dKi", int64(bytes/1024))}
}
