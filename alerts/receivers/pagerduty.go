package receivers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/traintop/traintop/alerts"
)

var pagerdutyKind = Kind{
	Type: "pagerduty", Title: "PagerDuty",
	New:    func() Service { return &PagerDuty{} },
	Rates:  []Rate{{120, time.Minute}},
	Length: "1024 characters of a summary",
	Format: "https://developer.pagerduty.com/docs/events-api-v2-overview",
	Example: `type: pagerduty
routingKey: {env: PAGERDUTY_ROUTING_KEY}`,
}

// PagerDuty sends events of version 2: an incident triggers, and resolves, the
// alert of its id.
type PagerDuty struct {
	RoutingKey Secret  `json:"routingKey" means:"integration key of the service (Events API v2)"`
	URL        Address `json:"url" means:"where to send events, instead of https://events.pagerduty.com/v2/enqueue; in Europe https://events.eu.pagerduty.com/v2/enqueue"`
	TLS
}

const (
	pagerdutyURL = "https://events.pagerduty.com/v2/enqueue"
	// pagerdutySummary is the longest summary, pagerdutyWord the longest key, in
	// characters; pagerdutyDetail, in bytes of JSON, keeps an event below its
	// 512 KB.
	pagerdutySummary = 1024
	pagerdutyWord    = 255
	pagerdutyDetail  = 8000
)

// Check implements Service.
func (k *PagerDuty) Check() []Problem {
	var c checks
	c.reads("routingKey", k.RoutingKey, true)
	c.reads("url", k.URL, false)
	c.tls(k.TLS)
	return c
}

type pagerdutyEvent struct {
	RoutingKey string            `json:"routing_key"`
	Action     string            `json:"event_action"`
	Dedup      string            `json:"dedup_key"`
	Client     string            `json:"client,omitempty"`
	Payload    *pagerdutyPayload `json:"payload,omitempty"`
}

type pagerdutyPayload struct {
	Summary   string            `json:"summary"`
	Source    string            `json:"source"`
	Severity  string            `json:"severity"`
	Timestamp string            `json:"timestamp,omitempty"`
	Component string            `json:"component,omitempty"`
	Group     string            `json:"group,omitempty"`
	Class     string            `json:"class,omitempty"`
	Details   map[string]string `json:"custom_details,omitempty"`
}

func (k *PagerDuty) send(ctx context.Context, s *sending, n alerts.Notice) error {
	key, err := s.secret("routingKey", k.RoutingKey)
	if err != nil {
		return err
	}
	at := k.URL
	if !at.set() {
		at.Plain = pagerdutyURL
	}
	to, err := s.address("url", at)
	if err != nil {
		return err
	}
	actions := []string{"trigger"}
	switch n.Change {
	case alerts.Resolved:
		actions = []string{"resolve"}
	case alerts.Test: // an alert that nobody has to close
		actions = []string{"trigger", "resolve"}
	}
	for _, action := range actions {
		event := pagerdutyEvent{RoutingKey: key, Action: action, Dedup: pagerdutyText(cmp.Or(string(n.Incident.ID), n.ID))}
		if action == "trigger" {
			event.Client, event.Payload = "traintop", pagerdutyOf(s.message, n)
		}
		p := post{to: to, tls: k.TLS, body: event, reads: true}
		body, err := s.post(ctx, p)
		if err != nil {
			return err
		}
		if err := pagerdutyVerdict(s, p, body); err != nil {
			return err
		}
	}
	return nil
}

func pagerdutyVerdict(s *sending, p post, body []byte) error {
	var said struct{ Status string }
	switch {
	case json.Unmarshal(body, &said) != nil || said.Status == "":
		return s.unexpected(p, body)
	case said.Status != "success":
		return fmt.Errorf("%s answered %s; check routingKey", p.to.Host, s.quoted("", body))
	}
	return nil
}

func pagerdutyOf(m alerts.Message, n alerts.Notice) *pagerdutyPayload {
	i := &n.Incident
	event := &pagerdutyPayload{
		Summary: fit(m.Heading, pagerdutySummary, inCharacters, asIs), Severity: toneOf(n).pagerduty,
		Source: cmp.Or(pagerdutyText(n.Cluster), "traintop"), Class: pagerdutyText(string(i.Cause)), Component: pagerdutyText(i.Shared), Details: map[string]string{},
	}
	if !n.At.IsZero() {
		event.Timestamp = n.At.UTC().Format(time.RFC3339)
	}
	if len(i.Jobs) > 0 {
		event.Group = pagerdutyText(i.Jobs[0].Namespace)
		event.Component = cmp.Or(event.Component, pagerdutyText(i.Jobs[0].String()))
	}
	add := func(name, text string) {
		if text != "" {
			event.Details[name] = fit(text, pagerdutyDetail, inJSON, asIs)
		}
	}
	for _, f := range m.Fields {
		add(f.Name, f.Text)
	}
	add(evidenceName, m.Evidence)
	add(openName, m.Command)
	return event
}

// pagerdutyText is a short text of an event.
func pagerdutyText(text string) string { return fit(clean(text), pagerdutyWord, inCharacters, asIs) }
