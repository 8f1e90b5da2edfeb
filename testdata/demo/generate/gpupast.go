package generate

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The last hour, a point each minute.
const (
	pastStep   = time.Minute
	pastPoints = 60
)

// remembered are the metrics whose hour is kept.
var remembered = []string{
	"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_GPU_TEMP",
	"DCGM_FI_DEV_SM_CLOCK", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
}

// past is the last hour of the GPUs that are held, as Prometheus answers a
// range query (/api/v1/query_range), labelled as a ServiceMonitor without
// honorLabels does.
func past(all []*gpu) []byte {
	var series []string
	for _, g := range all {
		if g.pod == nil {
			continue
		}
		chance := g.chance()
		var loads []load
		for i := range pastPoints {
			loads = append(loads, g.work(chance, measuredAgo+time.Duration(pastPoints-1-i)*pastStep))
		}
		for _, m := range metrics() {
			if slices.Contains(remembered, m.name) && (m.name != "DCGM_FI_PROF_GR_ENGINE_ACTIVE" || g.profile != "") {
				if text := g.series(&m, loads); text != "" {
					series = append(series, text)
				}
			}
		}
	}
	return packed([]byte(`{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(series, ",") + "]}}\n"))
}

func (g *gpu) series(m *metric, loads []load) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"metric":{"__name__":%q,"Hostname":%q,"UUID":%q,`, m.name, g.node.name, g.uuid())
	if g.profile != "" {
		fmt.Fprintf(&b, `"GPU_I_ID":"%d","GPU_I_PROFILE":%q,`, g.instance, g.profile)
	}
	fmt.Fprintf(&b, `"container":"nvidia-dcgm-exporter","exported_container":%q,"exported_namespace":%q,"exported_pod":%q,`, g.pod.container, g.pod.namespace, g.pod.name)
	fmt.Fprintf(&b, `"gpu":"%d","instance":"%s:9400","job":"nvidia-dcgm-exporter","modelName":%q,"namespace":"gpu-operator","pod":%q},"values":[`,
		g.board, g.node.ip(), g.node.kind().name, "nvidia-dcgm-exporter-"+suffix(5, "exporter", g.node.name))
	begin := now.Add(-measuredAgo - (pastPoints-1)*pastStep)
	for i, l := range loads {
		v := m.of(g, l)
		if v == nil {
			return ""
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `[%d,"%s"]`, begin.Add(time.Duration(i)*pastStep).Unix(), strconv.FormatFloat(*v, 'f', min(m.decimals, 2), 64))
	}
	b.WriteString("]}")
	return b.String()
}
