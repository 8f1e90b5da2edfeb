package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/jobmetrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
)

// promtool runs Prometheus' own checker in a folder.
func promtool(t *testing.T, dir, stdin string, args ...string) (said string, err error) {
	t.Helper()
	program, err := controlplane.Promtool(t.Context(), func(text string) { t.Log(text) })
	must(t, err)
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir, command.Stdin = dir, strings.NewReader(stdin)
	out, err := command.CombinedOutput()
	return string(out), err
}

// promtool accepts the rules and the names of all metrics, and the rules do what
// their tests expect; a rule that does not is found.
func TestPromtoolAcceptsRulesAndMetrics(t *testing.T) {
	t.Parallel()
	deploy := filepath.Join("..", "deploy")
	for _, args := range [][]string{
		{"check", "rules", "--lint=all", "--lint-fatal", "alert-rules.yaml"},
		{"test", "rules", "alert-rules.test.yaml"},
	} {
		if said, err := promtool(t, deploy, "", args...); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, said)
		}
	}
	var page strings.Builder
	for _, m := range jobmetrics.Table() {
		labels := make([]string, len(m.Labels))
		for i, name := range m.Labels {
			labels[i] = name + `="x"`
		}
		fmt.Fprintf(&page, "# HELP %s %s\n# TYPE %[1]s %[3]s\n%[1]s{%[4]s} 1\n", m.Name, m.Help, m.Type, strings.Join(labels, ","))
	}
	if said, err := promtool(t, ".", page.String(), "check", "metrics"); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, said)
	}

	wrong := t.TempDir()
	must(t, os.CopyFS(wrong, os.DirFS(deploy)))
	text, err := os.ReadFile(filepath.Join(wrong, "alert-rules.yaml"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(wrong, "alert-rules.yaml"), []byte(strings.Replace(string(text), "> 1800", "> 18000", 1)), 0o600))
	if said, err := promtool(t, wrong, "", "test", "rules", "alert-rules.test.yaml"); err == nil {
		t.Errorf("the tests of rules pass with a rule that is wrong:\n%s", said)
	}
}

// exporting follows the cluster with the rights of a kubeconfig, the logs of
// one namespace included, and serves its metrics as `traintop watch --metrics`
// does. It returns the address.
func exporting(t *testing.T, kubeconfig, namespace string) (address string) {
	t.Helper()
	watched := follow(t, kubeconfig, "")
	exporter := jobmetrics.New(jobmetrics.Options{Now: time.Now, Version: "e2e"})
	listener, err := jobmetrics.Listen(t.Context(), "127.0.0.1:0")
	must(t, err)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := exporter.ServeListener(ctx, listener); err != nil {
			t.Error(err)
		}
	})
	running.Go(func() {
		var report *diagnose.Report
		for {
			snapshot := watched.store.Snapshot()
			watched.source.Stream(logsOf(snapshot, namespace))
			report = diagnose.Run(snapshot, diagnose.Options{}, report)
			exporter.Observe(snapshot, report)
			select {
			case <-ctx.Done():
				return
			case <-time.After(200 * time.Millisecond):
			}
		}
	})
	t.Cleanup(func() { stop(); running.Wait() })
	return listener.Addr().String()
}

func logsOf(s *store.Snapshot, namespace string) *streams.Plan {
	var wants []streams.Want
	for _, job := range s.Jobs() {
		if job.Ref.Namespace == namespace {
			wants = append(wants, streams.Want{Job: job.ID, Whole: true})
		}
	}
	return streams.Choose(s, wants, 16)
}

// query asks Prometheus, and returns the values of all series.
func query(ctx context.Context, server *controlplane.Prometheus, expression string) (values []string, labels []map[string]string, err error) {
	var answer struct {
		Status, Error string
		Data          struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	if err := getJSON(ctx, server.URL()+"/api/v1/query?query="+url.QueryEscape(expression), &answer); err != nil {
		return nil, nil, err
	}
	if answer.Status != "success" {
		return nil, nil, fmt.Errorf("%s: %s", expression, answer.Error)
	}
	for _, one := range answer.Data.Result {
		values, labels = append(values, fmt.Sprint(one.Value[1])), append(labels, one.Metric)
	}
	return values, labels, nil
}

func getJSON(ctx context.Context, address string, into any) error {
	text, err := getText(ctx, address)
	if err == nil {
		err = json.Unmarshal([]byte(text), into)
	}
	return err
}

func getText(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// The real Prometheus scrapes what is known of a job of the real control plane,
// and its alerts fire.
func TestPrometheusScrapesJobs(t *testing.T) {
	t.Parallel()
	const namespace = "scraped"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("scraped-learns", runsAnywhere)))
	must(t, plays.ApplyOwned(t.Context(), strings.Replace(pytorchJob("scraped-fails", runsAnywhere, `e2e/exit: "1"`), "\n---\n", "\n"+failedStatus(time.Now())+"---\n", 1)))
	log := newContainerLog(t, "scraped-learns")
	serveLogs(t, plays, "scraped-learns-worker-0", log, nil)
	log.print("step: 1/2000 loss: 9.5 lr: 0.001")
	log.print("step: 7/2000 loss: 8.25 lr: 0.001")
	address := exporting(t, cluster.Kubeconfig, namespace)

	rules, err := filepath.Abs(filepath.Join("..", "deploy", "alert-rules.yaml"))
	must(t, err)
	server, err := controlplane.StartPrometheus(t.Context(), "127.0.0.1", t.TempDir(), fmt.Sprintf(`
global: {scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 1s}
rule_files: [%q]
scrape_configs:
- job_name: traintop
  honor_labels: true
  static_configs:
  - targets: [%q]
    labels: {namespace: traintop, pod: traintop-watch-0}
`, rules, address), func(text string) { t.Log(text) })
	must(t, err)
	t.Cleanup(server.Stop)
	until := func(expression, want string) {
		t.Helper()
		must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
			values, _, err := query(ctx, server, expression)
			if err == nil && (len(values) != 1 || values[0] != want) {
				err = fmt.Errorf("%s is %v, want %s", expression, values, want)
			}
			return err
		}))
	}
	of := func(name, job string) string {
		return fmt.Sprintf(`%s{namespace=%q, kind="PyTorchJob", job_name=%q}`, name, namespace, job)
	}
	until(of("traintop_job_step", "scraped-learns"), "7")
	until(of("traintop_job_total_steps", "scraped-learns"), "2000")
	until(of("traintop_job_loss", "scraped-learns"), "8.25")
	until(of("traintop_job_ranks_ready", "scraped-learns"), "1")
	until(fmt.Sprintf(`traintop_job_phase{namespace=%q, job_name="scraped-learns", phase="Running"}`, namespace), "1")
	until(`traintop_source_up{source="kube"}`, "1")
	until("traintop_ready", "1")
	until(`ALERTS{alertname="TrainingJobFailed", namespace="scraped", kind="PyTorchJob", job_name="scraped-fails", alertstate="firing"}`, "1")

	log.print("step: 8/2000 loss: nan lr: 0.001")
	until(of("traintop_job_loss", "scraped-learns"), "NaN")
	until(`ALERTS{alertname="TrainingLossNotFinite", namespace="scraped", job_name="scraped-learns"}`, "1")

	t.Run("dashboard", func(t *testing.T) { dashboardIsAnswered(t, server) })
	page, err := getText(t.Context(), "http://"+address+"/metrics")
	must(t, err)
	if said, err := promtool(t, ".", page, "check", "metrics"); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, said)
	}
}

func failedStatus(at time.Time) string {
	text, _ := yaml.Marshal(map[string]any{"status": map[string]any{
		"startTime": at.UTC().Format(time.RFC3339), "completionTime": at.UTC().Format(time.RFC3339),
		"conditions": []any{map[string]any{
			"type": "Failed", "status": "True", "reason": "PyTorchJobFailed", "message": "PyTorchJob scraped-fails is failed because 1 Worker replica(s) failed.",
			"lastUpdateTime": at.UTC().Format(time.RFC3339), "lastTransitionTime": at.UTC().Format(time.RFC3339),
		}},
	}})
	return string(text)
}

// dashboardIsAnswered asks each question of the dashboard.
func dashboardIsAnswered(t *testing.T, server *controlplane.Prometheus) {
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "deploy", "grafana-dashboard.json"))
	must(t, err)
	must(t, json.Unmarshal(text, &dashboard))
	asked, answered := 0, 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			expression := strings.NewReplacer("$namespace", ".*", "$job", ".*", "$__rate_interval", "1m").Replace(target.Expr)
			values, _, err := query(t.Context(), server, expression)
			if err != nil {
				t.Errorf("%s: %v", panel.Title, err)
			}
			if asked++; len(values) > 0 {
				answered++
			}
		}
	}
	if asked < 20 || answered < asked/2 {
		t.Errorf("%d of %d questions of the dashboard have an answer", answered, asked)
	}
}
