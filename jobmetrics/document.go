package jobmetrics

import (
	"fmt"
	"strings"
)

// Markdown returns docs/metrics.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(documentIntro)
	b.WriteString("| metric | type | labels | unit | what it says |\n| --- | --- | --- | --- | --- |\n")
	for i := range table {
		m := &table[i]
		labels := "–"
		if len(m.Labels) > 0 {
			labels = "`" + strings.Join(m.Labels, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", m.Name, m.Type, labels, m.Unit, strings.ReplaceAll(m.Help, "|", `\|`))
	}
	b.WriteString(documentEnd)
	return b.String()
}

const documentIntro = `# Metrics

` + "`traintop watch --metrics :9464` and `traintop record --metrics :9464`" + ` serve what traintop knows of training jobs at ` + "`/metrics`" + `, for Prometheus. Nothing is sent anywhere; whoever can reach the port can read it: names of namespaces, jobs and queues, losses, causes, no logs. ` + "`/healthz`" + ` answers while the program lives, ` + "`/readyz`" + ` once all sources have given their first answer. ` + "`deploy/watch.yaml`" + ` serves them in a cluster; ` + "`deploy/recorder.yaml`" + ` does too once its two lines with ` + "`--metrics`" + ` are no comments any more.

A value that is unknown is absent, not 0. A loss that is NaN is NaN. Times are in seconds, GPU time in GPU-seconds: 3600 are a GPU-hour. ` + "`traintop_job_*`" + ` say what the list of jobs and the diagnosis say, from the same functions. Steps, losses and speeds are there for jobs whose logs are followed (` + "`logStreams`" + ` bounds how many logs are), what GPUs do where an exporter or Prometheus is read.

## How to scrape

` + "```yaml" + `
scrape_configs:
- job_name: traintop
  honor_labels: true # namespace is that of the job, not of the watcher
  static_configs:
  - targets: [traintop.example:9464]
` + "```" + `

Without ` + "`honor_labels`" + ` Prometheus renames ` + "`namespace`" + ` to ` + "`exported_namespace`" + ` where targets are found in a cluster, and dashboard and rules find nothing. In a cluster [deploy/watch.yaml](../deploy/watch.yaml) runs the watcher and its Service, and [deploy/watch-servicemonitor.yaml](../deploy/watch-servicemonitor.yaml) is for the Prometheus operator. [deploy/grafana-dashboard.json](../deploy/grafana-dashboard.json) is a dashboard, [deploy/alert-rules.yaml](../deploy/alert-rules.yaml) are rules of alerts, with their tests beside them. Several watchers of one cluster serve the same series: aggregate over them with ` + "`max by (namespace, kind, job_name)`" + `, as the rules do.

## How many series there are

A job has about 20 series, one more for each metric of training that it prints and for each cause of an open finding (32 at most). At most 2,000 jobs have series; of more the running ones come first, then those that have some already, then those with the most GPUs. A job that has ended is dropped an hour later. Jobs that are no training have none. ` + "`watch -n`" + ` narrows the jobs that people are told of and whose logs are followed, and not those that have series. ` + "`traintop_jobs_not_shown`" + ` counts what is left out, ` + "`traintop_jobs`" + ` counts all. At most 500 namespaces and 500 queues have series of GPU time; the others are added up as ` + "`(others)`" + `. Labels are valid UTF-8 of at most 253 letters.

## All metrics

The kind is that of the job (` + "`PyTorchJob`" + `), with its group where two kinds share a name (` + "`Job.batch.volcano.sh`" + `). ` + "`traintop diagnose NAMESPACE/KIND/JOB_NAME`" + ` takes the three labels as they are. Counters of a job begin with what the job had before the watcher started where that is known (restarts, lost steps, held GPU time), those of busy and idle GPUs at 0.

`

const documentEnd = `
Beside them are ` + "`go_*`, `process_*` and `promhttp_*`" + `, which the Go client of Prometheus serves for any program.
`
