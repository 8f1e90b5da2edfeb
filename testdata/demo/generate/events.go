package generate

import (
	"fmt"
	"time"
)

// about is what an event concerns.
type about struct {
	apiVersion, kind, namespace, name, uid, field string
}

// event adds a core event that happened count times between two moments.
// Events older than an hour are gone, as in any cluster (--event-ttl).
func (c *cluster) event(of about, from, kind, reason, message string, first, last time.Duration, count int) {
	c.eventOn(of, from, "", kind, reason, message, first, last, count)
}

func (c *cluster) eventOn(of about, from, host, kind, reason, message string, first, last time.Duration, count int) {
	if last > time.Hour {
		return
	}
	source := object{"component": from}
	if host != "" {
		source["host"] = host
	}
	c.add(object{
		"apiVersion": "v1", "kind": "Event", "metadata": c.eventMeta(of, reason, first),
		"involvedObject": of.ref(), "type": kind, "reason": reason, "message": message,
		"count": int64(count), "firstTimestamp": ago(first), "lastTimestamp": ago(last), "eventTime": nil,
		"source": source, "reportingComponent": from, "reportingInstance": host,
	})
}

// schedulerEvent adds an event in the newer form, which only the scheduler
// uses: no count, no first and last timestamp, a series once it repeats.
func (c *cluster) schedulerEvent(of about, kind, reason, message string, first, last time.Duration, count int) {
	if last > time.Hour {
		return
	}
	action := map[string]string{"Scheduled": "Binding", "FailedScheduling": "Scheduling"}[reason]
	e := object{
		"apiVersion": "v1", "kind": "Event", "metadata": c.eventMeta(of, reason, first),
		"involvedObject": of.ref(), "type": kind, "reason": reason, "message": message, "action": action,
		"firstTimestamp": nil, "lastTimestamp": nil, "eventTime": microseconds(first),
		"source": object{}, "reportingComponent": "default-scheduler", "reportingInstance": "default-scheduler-control-plane-1",
	}
	if count > 1 {
		e["series"] = object{"count": int64(count), "lastObservedTime": microseconds(last)}
	}
	c.add(e)
}

// microseconds is a moment in the notation of MicroTime, with a fraction that
// a real clock would show.
func microseconds(age time.Duration) string {
	at := now.Add(-age)
	return at.Format("2006-01-02T15:04:05") + fmt.Sprintf(".%06dZ", at.Unix()*7919%1000000)
}

func (c *cluster) eventMeta(of about, reason string, first time.Duration) object {
	at := now.Add(-first).UnixNano() + int64(c.version)*1009
	m := object{"name": fmt.Sprintf("%s.%016x", of.name, at), "creationTimestamp": ago(first), "namespace": of.namespace}
	m["uid"] = uid("event", of.namespace, of.name, reason, at)
	if of.namespace == "" {
		m["namespace"] = "default" // where events about nodes live
	}
	return m
}

func (a about) ref() object {
	ref := object{"apiVersion": a.apiVersion, "kind": a.kind, "name": a.name, "uid": a.uid}
	if a.namespace != "" {
		ref["namespace"] = a.namespace
	}
	if a.field != "" {
		ref["fieldPath"] = a.field
	}
	return ref
}
