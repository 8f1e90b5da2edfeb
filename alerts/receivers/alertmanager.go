package receivers

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/alerts"
)

var alertmanagerKind = Kind{
	Type: "alertmanager", Title: "Alertmanager",
	New:    func() Service { return &Alertmanager{} },
	Length: "not cut",
	Format: "https://prometheus.io/docs/alerting/latest/alerts_api/",
	Example: `type: alertmanager
url: http://alertmanager-operated.monitoring:9093
labels: {team: ml}`,
}

// Alertmanager sends to the API v2 of Alertmanager, which groups, silences and
// routes as it is configured.
type Alertmanager struct {
	URL      Address           `json:"url" means:"root of Alertmanager, with the prefix before /api/v2 if any"`
	Labels   map[string]string `json:"labels" means:"labels that each alert gets, as in {team: ml}"`
	Username string            `json:"username" means:"user of basic authentication"`
	Password Secret            `json:"password" means:"its password"`
	Token    Secret            `json:"token" means:"token for the header Authorization: Bearer"`
	TLS

	// sent are the labels under which open incidents were sent last.
	mutex sync.Mutex
	sent  map[alerts.IncidentID]map[string]string
}

const (
	// alertmanagerKeep is how often an open alert is sent again, as Prometheus
	// does (rules.alert.resend-delay, 1m).
	alertmanagerKeep = time.Minute
	// alertmanagerEnd is when an alert ends of which nothing is heard any more:
	// four times that, as Prometheus does.
	alertmanagerEnd = 4 * alertmanagerKeep
	// mostSent bounds the labels that are remembered.
	mostSent = 10_000
)

// KeepsAlive implements KeepAlive.
func (k *Alertmanager) KeepsAlive() time.Duration { return alertmanagerKeep }

var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// ownLabels are those that describe what an alert is about.
var ownLabels = []string{"alertname", "cause", "cluster", "incident", "job", "kind", "namespace", "severity", "shared"}

// Check implements Service.
func (k *Alertmanager) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.reads("password", k.Password, false)
	c.reads("token", k.Token, false)
	switch {
	case k.Password.set() && k.Username == "":
		c.add("username", "it is missing; a password needs it")
	case k.Token.set() && k.Username != "":
		c.add("token", "a token and a username are both set; give one of the two")
	}
	for _, name := range slices.Sorted(maps.Keys(k.Labels)) {
		if !labelName.MatchString(name) || slices.Contains(ownLabels, name) {
			c.add("labels."+name, "a label has letters, digits and _, and is none of %s", strings.Join(ownLabels, ", "))
		}
	}
	c.tls(k.TLS)
	return c
}

type alertmanagerAlert struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	StartsAt    time.Time         `json:"startsAt,omitzero"`
	EndsAt      time.Time         `json:"endsAt,omitzero"`
}

func (k *Alertmanager) send(ctx context.Context, s *sending, n alerts.Notice) error {
	to, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	to.Path = strings.TrimSuffix(strings.TrimSuffix(to.Path, "/"), "/api/v2")
	to = to.JoinPath("api", "v2", "alerts")
	header, err := s.bearer(k.Token)
	if err != nil {
		return err
	}
	p := post{to: to, tls: k.TLS, header: header}
	if k.Username != "" {
		password, err := s.optional("password", k.Password)
		if err != nil {
			return err
		}
		header.Set("Authorization", "Basic "+s.credentials(k.Username, password))
	}
	alert := k.alertOf(s.message, n)
	all := []alertmanagerAlert{alert}
	if before := k.changed(n.Incident.ID, alert.Labels); before != nil {
		all = append(all, alertmanagerAlert{Labels: before, StartsAt: alert.StartsAt, EndsAt: n.At})
	}
	p.body = all
	if _, err = s.post(ctx, p); err == nil {
		k.remember(n, alert.Labels)
	}
	return err
}

// alertOf is a notice as an alert.
func (k *Alertmanager) alertOf(m alerts.Message, n alerts.Notice) alertmanagerAlert {
	i := &n.Incident
	alert := alertmanagerAlert{Labels: k.labels(n), StartsAt: i.Since, EndsAt: n.At.Add(alertmanagerEnd)}
	for _, at := range []time.Time{i.Opened, n.At} {
		if alert.StartsAt.IsZero() {
			alert.StartsAt = at
		}
	}
	if n.Change == alerts.Resolved {
		alert.EndsAt = i.Resolved
		if alert.EndsAt.IsZero() || alert.EndsAt.After(n.At) {
			alert.EndsAt = n.At
		}
	}
	if alert.StartsAt.After(alert.EndsAt) {
		alert.StartsAt = alert.EndsAt // an alert that ends before it starts is refused
	}
	facts := plainText(inBytes).composed(alerts.Message{Fields: m.Fields}, 64<<10)
	alert.Annotations = withoutEmpty(map[string]string{
		"summary": m.Heading, "description": facts, "evidence": m.Evidence, "next": clean(i.Next), "next_command": clean(i.NextCommand), "command": m.Command,
	})
	return alert
}

// labels identify the alert: they are the same for each notice of an incident
// whose severity and cause stay. An incident of many jobs has the label shared
// and no job's name.
func (k *Alertmanager) labels(n alerts.Notice) map[string]string {
	i := &n.Incident
	labels := map[string]string{}
	for name, value := range k.Labels {
		labels[name] = clean(value)
	}
	maps.Copy(labels, map[string]string{
		"alertname": alertName(n), "cluster": clean(n.Cluster), "cause": clean(string(i.Cause)), "severity": clean(string(i.Severity)),
		"incident": cmp.Or(clean(string(i.ID)), clean(n.ID)), "shared": clean(i.Shared),
	})
	if i.Shared == "" && len(i.Jobs) > 0 {
		job := i.Jobs[0]
		maps.Copy(labels, map[string]string{"namespace": clean(job.Namespace), "job": clean(job.Name), "kind": clean(job.Ref().KindName())})
	}
	return withoutEmpty(labels)
}

// alertName is a name as those of rules of Prometheus are written: the rule
// "gpus-idle" is TraintopGpusIdle.
func alertName(n alerts.Notice) string {
	rule := n.Incident.Rule
	if n.Change == alerts.Test {
		rule = "test"
	}
	var name strings.Builder
	name.WriteString("Traintop")
	words := strings.FieldsFunc(cmp.Or(clean(rule), "incident"), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
	for _, word := range words {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}

func withoutEmpty(texts map[string]string) map[string]string {
	maps.DeleteFunc(texts, func(_, text string) bool { return text == "" })
	return texts
}

// changed is the labels under which an incident was sent before, where they are
// others now: that alert has to end, since it is another one to Alertmanager.
func (k *Alertmanager) changed(id alerts.IncidentID, now map[string]string) map[string]string {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if before := k.sent[id]; before != nil && !maps.Equal(before, now) {
		return before
	}
	return nil
}

// remember notes the labels of an open incident. Those that are forgotten after
// a restart end by themselves after alertmanagerEnd.
func (k *Alertmanager) remember(n alerts.Notice, labels map[string]string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if n.Change == alerts.Resolved || n.Change == alerts.Test {
		delete(k.sent, n.Incident.ID)
		return
	}
	if k.sent == nil || len(k.sent) >= mostSent {
		k.sent = map[alerts.IncidentID]map[string]string{}
	}
	k.sent[n.Incident.ID] = labels
}
