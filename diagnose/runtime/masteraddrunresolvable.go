package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var masterAddrUnresolvable = rule.Cause{
	ID: "master-addr-unresolvable", Stage: train.StageRendezvous,
	Words: logfindings.Words{
		Title:   "The master's name does not resolve",
		Meaning: "The name under which ranks look for the first rank does not resolve: its headless Service is missing, or the name is wrong or of another namespace.",
		Fix: "See the Services and their endpoints. $ kubectl get services,endpoints\n" +
			"Create the headless Service, or correct its name, the pods' subdomain or the namespace; publishNotReadyAddresses must be true.",
	},
	Evidence: "In logs `gai error: -2`, `Name or service not known`, `host not found`; MASTER_ADDR of the pods against the Services of the namespace; an init container that looks up the name of a rank that runs (nslookup) and does not end.",
	Hides:    []train.Cause{"rendezvous-timeout", "gloo-connect-failure", "application-error", "backoff-limit-exceeded", "init-container-failing", "hang-no-output", "nccl-init-failure", "torchrun-child-failed"},
	Needs:    []schema.GroupKind{rule.ServiceKind},
	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase.Terminal() {
			return nil
		}
		for _, p := range s.Pods {
			switch p.Rank.State {
			case train.RankPending, train.RankGated:
				continue // not yet
			case train.RankRunning:
				if !saysOf(s, p, s.Current.ID) {
					continue // met already, as far as known
				}
			}
			if f := cmp.Or(waitsForName(s, p), lostAddress(s, p)); f != nil {
				return []train.Finding{*f}
			}
		}
		return nil
	},
}

// saysOf reports whether the log of a running pod shows a cause: ranks retry
// for minutes before they give up. A rank that has made steps recovered from
// it.
func saysOf(s *rule.JobContext, p *rule.Pod, cause train.Cause) bool {
	rankIndex := p.Rank.Index // mostly, since ranks are in order
	if rankIndex >= len(s.Job.Ranks) || s.Job.Ranks[rankIndex].Index != p.Rank.Index {
		rankIndex = slices.IndexFunc(s.Job.Ranks, func(r train.Rank) bool { return r.Index == p.Rank.Index })
	}
	for _, log := range s.RankLogs(s.Job, max(0, rankIndex)) {
		if len(log.Samples.Rows) > 0 {
			return false
		}
		if slices.ContainsFunc(log.Hits, func(h train.LogHit) bool { return h.Cause == cause }) {
			return true
		}
	}
	return false
}

// addressNames are the variables that name the first rank (torch, JAX, XGBoost).
var addressNames = []string{"MASTER_ADDR", "PET_MASTER_ADDR", "PET_RDZV_ENDPOINT", "COORDINATOR_ADDRESS", "JAX_COORDINATOR_ADDRESS"}

// lostAddress looks for the service of a pod's address of the first rank.
func lostAddress(s *rule.JobContext, p *rule.Pod) *train.Finding {
	for i := range p.Spec.Containers {
		for _, variable := range p.Spec.Containers[i].Env {
			host, _, _ := strings.Cut(variable.Value, ":")
			if host == "" || !isAddressName(variable.Name) || !isHostName(host) || rule.HasAny(host, "localhost", "127.0.0.1") || isIP(host) {
				continue
			}
			service, namespace := serviceOf(host, p)
			if servesHost(s, service, namespace, host, p) {
				continue
			}
			f := s.NewFinding(s.SeverityAfter(p.CreationTimestamp.Time, rule.StartGrace), p.CreationTimestamp.Time, p)
			f.Title = fmt.Sprintf("%s=%s leads nowhere: there is no Service %s in namespace %s", variable.Name, host, service, namespace)
			f.Explanation = "Ranks meet under this name. A headless Service gives it an address, and none of this name exists."
			f.Evidence = []train.Evidence{
				rule.FieldEvidence(s.Ref(p), "spec.containers["+p.Spec.Containers[i].Name+"].env["+variable.Name+"]", variable.Value, p.CreationTimestamp.Time, rule.RankOf(p)),
				rule.FieldEvidence(rule.CoreRef("Service", namespace, service), "", "does not exist", time.Time{}, -1),
			}
			f.Next = append(s.Current.Advice(), rule.Look("See the services that exist.", "kubectl", "get", "services", "-n", namespace))
			f.Verify = "The name resolves in the pods, and the ranks meet."
			return &f
		}
	}
	return nil
}

func isAddressName(name string) bool {
	for _, known := range addressNames {
		if name == known {
			return true
		}
	}
	return false
}

// isHostName reports whether a value can be the name of a Service or a pod at
// all; other values ($(NAME), a password in the wrong place) are not quoted.
func isHostName(host string) bool {
	return len(validation.IsDNS1123Subdomain(strings.TrimSuffix(host, "."))) == 0
}

func isIP(host string) bool {
	return strings.Trim(host, "0123456789.") == "" || strings.Contains(host, "::")
}

// serviceOf returns the service that gives a host its address: the last label
// for a pod's name below a subdomain, the first for a service of its own.
func serviceOf(host string, p *rule.Pod) (service, namespace string) {
	name, ofService := strings.CutSuffix(strings.TrimSuffix(host, ".cluster.local"), ".svc")
	labels := strings.Split(name, ".")
	switch {
	case len(labels) == 1:
		return labels[0], p.Namespace
	case len(labels) == 2 && ofService, len(labels) == 2 && labels[1] == p.Namespace && p.Spec.Subdomain == "":
		return labels[0], labels[1]
	case len(labels) == 2:
		return labels[1], p.Namespace // pod.subdomain
	}
	return labels[len(labels)-2], cmp.Or(labels[len(labels)-1], p.Namespace)
}

// servesHost reports whether the service exists or cannot be looked up; a
// short name may be the pod's own too.
func servesHost(s *rule.JobContext, service, namespace, host string, p *rule.Pod) bool {
	if host == p.Name || host == p.Spec.Hostname {
		return true
	}
	_, presence := s.LookUp(rule.ServiceKind, namespace, service)
	if presence == train.Unknown {
		s.CheckUnknown("services cannot be seen: " + s.WhyUnlisted(rule.ServiceKind, s.Job.Ref.Namespace))
	}
	return presence != train.Absent
}
