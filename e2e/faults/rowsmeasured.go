package faults

// exporterRows are faults of the exporter of one node.
func exporterRows() []Row {
	row := func(f Fault, says ...string) Row {
		return Row{
			Fault: f, At: Exporter, Commands: []string{"gpus"}, Lost: "what the exporter measures; Prometheus and the objects tell the rest",
			Says: append([]string{"dcgm-exporter pod gpu-operator/nvidia-dcgm-exporter-x7k2p, port 9400"}, says...), Still: []string{measuredNode},
		}
	}
	refused := row(Forbidden)
	refused.Says = []string{"pods/proxy"}
	return []Row{
		refused,
		row(HangsBefore), row(HangsAfter), row(HangsWithin), row(Drips),
		row(Unauthorized, "Unauthorized"),
		row(NotFound, "could not find the requested resource"),
		row(Throttled, "too many requests"),
		row(Failing, "the API server could not reach it", "etcdserver: request timed out"),
		row(Unavailable, "the API server could not reach it"),
		row(HTML, "instead of metrics"),
		row(Cut, "its answer broke off", "what had come until then was used"),
		row(WrongLength, "its answer broke off"),
		row(RedirectLoop, "which is not followed"),
		row(RedirectElsewhere, "which is not followed"),
		row(GzipBomb, "instead of metrics"),
		row(HugeString, "instead of metrics"),
	}
}

// prometheusRows are faults of the server of the Prometheus API.
func prometheusRows() []Row {
	row := func(f Fault, says ...string) Row {
		return Row{
			Fault: f, At: Prometheus, Commands: []string{"gpus"}, Lost: "what Prometheus knows; exporters and the objects tell the rest",
			Says: append([]string{"Prometheus at service monitoring/prometheus-kube-prometheus-prometheus"}, says...), Still: []string{measuredNode},
		}
	}
	refused := row(Forbidden)
	refused.Says = []string{"services/proxy"}
	return []Row{
		refused,
		row(HangsBefore), row(HangsAfter), row(HangsWithin), row(Drips),
		row(Unauthorized, "HTTP 401", "the API server does not accept the credentials of this context: log in again"),
		row(NotFound, "HTTP 404"),
		row(Throttled, "HTTP 429"),
		row(Failing, "HTTP 500"),
		row(Unavailable, "HTTP 503"),
		row(HTML, "a web page", "not the Prometheus API"),
		row(Cut, "the answer is not sound"),
		row(RedirectLoop, "HTTP 302"),
		row(RedirectElsewhere, "which is not followed"),
		row(GzipBomb, "longer than 8 MiB"),
		row(HugeString, "longer than 8 MiB"),
		row(DeepJSON, "the answer"),
	}
}

// numberRows are answers of a Prometheus that is found and knows its metrics.
func numberRows() []Row {
	row := func(f Fault, says ...string) Row {
		return Row{
			Fault: f, At: GPUNumbers, Commands: []string{"gpus"}, Lost: "what Prometheus knows; exporters and the objects tell the rest",
			Says: append([]string{"Prometheus at service monitoring/prometheus-kube-prometheus-prometheus", "query DCGM_FI_"}, says...), Still: []string{measuredNode},
		}
	}
	many := row(MillionsOfSeries, "3000000 series of DCGM_FI_", "narrow it with match under prometheus")
	many.Lost, many.Says = "the GPUs behind the first 65,536", append(many.Says[:1], many.Says[2:]...)
	return []Row{
		row(EmptyBody, "the answer is empty", "check what answers behind that Service"),
		row(Cut, "the answer is not sound after"),
		row(WrongResult, `of the type "streams" where vector was asked for`, "check what answers behind that Service"),
		row(ObjectNumbers, "without a number in any of its"),
		many,
	}
}
