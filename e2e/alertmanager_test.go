package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/alerts/receivers"
	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/train"
)

// pages are what Alertmanager sends on: "firing bert", "resolved bert".
type pages struct {
	mutex sync.Mutex
	all   []string
}

func (p *pages) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var sent struct {
		Alerts []struct {
			Status string
			Labels map[string]string
		}
	}
	if json.NewDecoder(r.Body).Decode(&sent) != nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, alert := range sent.Alerts {
		p.all = append(p.all, alert.Status+" "+alert.Labels["job"])
	}
}

func (p *pages) has(text string) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, page := range p.all {
		if page == text {
			return nil
		}
	}
	return fmt.Errorf("no %q among %q", text, p.all)
}

// amAlert is an alert as Alertmanager lists it.
type amAlert struct {
	Labels, Annotations map[string]string
	StartsAt, EndsAt    time.Time
	Status              struct {
		State      string
		SilencedBy []string
	}
}

// amAlerts lists the alerts of a job.
func amAlerts(ctx context.Context, url, job string) ([]amAlert, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+`/api/v2/alerts?filter=job%3D%22`+job+`%22`, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var all []amAlert
	return all, json.NewDecoder(response.Body).Decode(&all)
}

// silenceAlert silences a job.
func silenceAlert(t *testing.T, url, job string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"matchers": []map[string]any{{"name": "job", "value": job, "isRegex": false, "isEqual": true}, {"name": "namespace", "value": "ml", "isRegex": false, "isEqual": true}},
		"startsAt": time.Now().Add(-time.Minute).Format(time.RFC3339), "endsAt": time.Now().Add(time.Hour).Format(time.RFC3339),
		"createdBy": "ada", "comment": "known",
	})
	must(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/api/v2/silences", bytes.NewReader(text))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer func() { _ = response.Body.Close() }()
	if said, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
		t.Fatalf("silence: %s: %s", response.Status, said)
	}
}

// jobNotice is an opened notice of a job.
func jobNotice(job string) alerts.Notice {
	now := time.Now()
	return alerts.Notice{
		ID: job + "-opened-1", Change: alerts.Opened, At: now, Cluster: "e2e",
		Incident: alerts.Incident{
			ID: alerts.IncidentID(job + "0123456789ab"), Rule: "gpus-idle", Cause: "cuda-oom", Severity: train.SeverityError, Title: "CUDA out of memory on rank 3", Rank: 3,
			Jobs:     []alerts.AffectedJob{{Namespace: "ml", Group: "kubeflow.org", Kind: "PyTorchJob", Name: job, Attempt: 1}},
			Evidence: "torch.OutOfMemoryError: CUDA out of memory \u202e\x00 {{ .Values }} \"x\"\nsecond line", Since: now.Add(-10 * time.Minute), Opened: now,
		},
	}
}

// The real Alertmanager: an incident is an alert with its labels, which stays
// with each repeated notice, is silenced there, and is gone when it is resolved.
func TestAlertmanager(t *testing.T) {
	t.Parallel()
	sent := &pages{}
	sink := httptest.NewServer(sent)
	t.Cleanup(sink.Close)
	server, err := controlplane.StartAlertmanager(t.Context(), t.TempDir(), fmt.Sprintf(`
route: {receiver: team, group_by: [incident], group_wait: 100ms, group_interval: 200ms, repeat_interval: 1h}
receivers:
- name: team
  webhook_configs: [{url: %s, send_resolved: true}]
`, sink.URL), func(text string) { fmt.Fprintln(os.Stderr, "e2e:", text) })
	must(t, err)
	t.Cleanup(server.Stop)
	kind, _ := receivers.KindOf("alertmanager")
	service := &receivers.Alertmanager{URL: receivers.Address{Plain: server.URL()}, Labels: map[string]string{"team": "ml"}}
	if problems := service.Check(); len(problems) > 0 {
		t.Fatal(problems)
	}
	to := receivers.NewMaker(receivers.Options{Now: time.Now}).Receiver("am", kind, service)
	until := func(what string, isSo func(ctx context.Context) error) {
		t.Helper()
		must(t, cluster.Wait(t.Context(), 30*time.Second, func(ctx context.Context) error {
			if err := isSo(ctx); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			return nil
		}))
	}

	n := jobNotice("bert")
	must(t, to.Send(t.Context(), n))
	var first amAlert
	until("the alert is active", func(ctx context.Context) error {
		all, err := amAlerts(ctx, server.URL(), "bert")
		switch {
		case err != nil:
			return err
		case len(all) != 1 || all[0].Status.State != "active":
			return fmt.Errorf("alerts are %+v", all)
		}
		first = all[0]
		return nil
	})
	for name, want := range map[string]string{
		"alertname": "TraintopGpusIdle", "cluster": "e2e", "namespace": "ml", "job": "bert", "kind": "PyTorchJob", "cause": "cuda-oom", "severity": "error",
		"incident": "bert0123456789ab", "team": "ml",
	} {
		if first.Labels[name] != want {
			t.Errorf("the label %s is %q, want %q", name, first.Labels[name], want)
		}
	}
	if !strings.Contains(first.Annotations["summary"], "CUDA out of memory on rank 3") || first.Annotations["command"] != "traintop diagnose ml/PyTorchJob/bert" || strings.ContainsAny(first.Annotations["evidence"], "\n\u202e") {
		t.Errorf("the annotations are %q", first.Annotations)
	}
	until("it is sent on", func(context.Context) error { return sent.has("firing bert") })

	// A minute later the same alert goes on, whatever else changed.
	n.Change, n.At, n.Incident.Title = alerts.Repeated, n.At.Add(time.Minute), "CUDA out of memory on ranks 3 and 4"
	must(t, to.Send(t.Context(), n))
	until("it stays one alert, with a later end", func(ctx context.Context) error {
		all, err := amAlerts(ctx, server.URL(), "bert")
		if err == nil && (len(all) != 1 || !all[0].EndsAt.After(first.EndsAt) || !all[0].StartsAt.Equal(first.StartsAt) || !strings.Contains(all[0].Annotations["summary"], "ranks 3 and 4")) {
			err = fmt.Errorf("alerts are %+v, before %+v", all, first)
		}
		return err
	})

	silenceAlert(t, server.URL(), "quiet")
	must(t, to.Send(t.Context(), jobNotice("quiet")))
	until("another is silenced", func(ctx context.Context) error {
		all, err := amAlerts(ctx, server.URL(), "quiet")
		if err == nil && (len(all) != 1 || all[0].Status.State != "suppressed" || len(all[0].Status.SilencedBy) != 1) {
			err = fmt.Errorf("alerts are %+v", all)
		}
		return err
	})

	n.Change, n.At = alerts.Resolved, time.Now()
	n.Incident.Resolved, n.Incident.Outcome = n.At, "the job runs again"
	must(t, to.Send(t.Context(), n))
	until("the alert is gone", func(ctx context.Context) error {
		all, err := amAlerts(ctx, server.URL(), "bert")
		if err == nil && len(all) != 0 {
			err = fmt.Errorf("alerts are %+v", all)
		}
		return err
	})
	until("its end is sent on", func(context.Context) error { return sent.has("resolved bert") })
	if sent.has("firing quiet") == nil {
		t.Error("the silenced alert was sent on")
	}

	// A notice that Alertmanager refuses is final, with its reason.
	bad := &receivers.Alertmanager{URL: receivers.Address{Plain: server.URL() + "/nowhere"}}
	err = receivers.NewMaker(receivers.Options{Now: time.Now}).Receiver("am", kind, bad).Send(t.Context(), n)
	again := (*alerts.RetryError)(nil)
	if err == nil || errors.As(err, &again) || !strings.Contains(err.Error(), "404") {
		t.Errorf("a wrong prefix: %v", err)
	}
}
