package admission

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// EnforceLabel is the namespace label with the PodSecurity level that the API
// server enforces (k8s.io/pod-security-admission 1.36 api/constants.go).
const EnforceLabel = "pod-security.kubernetes.io/enforce"

// baselineCapabilities may be added at level baseline, at level restricted
// only the first (k8s.io/pod-security-admission 1.36
// policy/check_capabilities_*.go).
var baselineCapabilities = []corev1.Capability{
	"NET_BIND_SERVICE", "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT",
}

// podSecurityViolations returns what of a pod the levels baseline and
// restricted forbid, in the API server's own words
// (k8s.io/pod-security-admission 1.36 policy/check_*.go). It omits Windows,
// AppArmor, SELinux, sysctls and /proc mounts, which training does not use.
func podSecurityViolations(level string, spec *corev1.PodSpec) []string {
	if level != "baseline" && level != "restricted" {
		return nil
	}
	restricted := level == "restricted"
	list := hostViolations(spec)
	for i := range spec.Volumes {
		v := &spec.Volumes[i]
		switch {
		case v.HostPath != nil:
			list = append(list, fmt.Sprintf("hostPath volume %q", v.Name))
		case restricted && (v.NFS != nil || v.ISCSI != nil || v.RBD != nil || v.CephFS != nil || v.FlexVolume != nil):
			list = append(list, fmt.Sprintf("volume %q of a restricted type", v.Name))
		}
	}
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			list = append(list, containerViolations(&containers[i], spec.SecurityContext, restricted)...)
		}
	}
	return list
}

func hostViolations(spec *corev1.PodSpec) []string {
	var list []string
	for _, host := range []struct {
		name string
		set  bool
	}{{"hostNetwork", spec.HostNetwork}, {"hostPID", spec.HostPID}, {"hostIPC", spec.HostIPC}} {
		if host.set {
			list = append(list, host.name+"=true")
		}
	}
	return list
}

func containerViolations(c *corev1.Container, pod *corev1.PodSecurityContext, restricted bool) []string {
	var list []string
	note := func(format string, values ...any) {
		list = append(list, fmt.Sprintf("container %q ", c.Name)+fmt.Sprintf(format, values...))
	}
	own := c.SecurityContext
	if own == nil {
		own = &corev1.SecurityContext{}
	}
	if pod == nil {
		pod = &corev1.PodSecurityContext{}
	}
	for i := range c.Ports {
		if port := c.Ports[i].HostPort; port != 0 {
			note("has hostPort %d", port)
		}
	}
	if own.Privileged != nil && *own.Privileged {
		note("is privileged")
	}
	allowed := baselineCapabilities
	if restricted {
		allowed = allowed[:1]
	}
	dropsAll := false
	if own.Capabilities != nil {
		for _, name := range own.Capabilities.Add {
			if !slices.Contains(allowed, name) {
				note("adds capability %s", name)
			}
		}
		dropsAll = slices.Contains(own.Capabilities.Drop, "ALL")
	}
	if !restricted {
		return list
	}
	if own.AllowPrivilegeEscalation == nil || *own.AllowPrivilegeEscalation {
		note("must set allowPrivilegeEscalation=false")
	}
	if !dropsAll {
		note("must drop all capabilities")
	}
	if nonRoot := firstSet(own.RunAsNonRoot, pod.RunAsNonRoot); nonRoot == nil || !*nonRoot {
		note("must set runAsNonRoot=true")
	}
	if profile := firstSet(own.SeccompProfile, pod.SeccompProfile); profile == nil || profile.Type == corev1.SeccompProfileTypeUnconfined {
		note("must set a seccompProfile, RuntimeDefault or Localhost")
	}
	return list
}

// firstSet returns a container's own setting, or else the pod's.
func firstSet[T any](own, pod *T) *T {
	if own != nil {
		return own
	}
	return pod
}

// forbiddenTemplates finds missing pods that the level of their namespace
// forbids: the event about it may be gone.
func forbiddenTemplates(s *rule.JobContext) []train.Finding {
	templates := s.Templates()
	if len(templates) == 0 {
		return nil
	}
	o, presence := s.LookUp(rule.NamespaceKind, "", s.Job.Ref.Namespace)
	if o == nil {
		if presence == train.Unknown {
			s.CheckUnknown("the namespace cannot be seen in namespaces: " + s.WhyUnlisted(rule.NamespaceKind, ""))
		}
		return nil
	}
	level := o.GetLabels()[EnforceLabel]
	for i := range templates {
		t := &templates[i]
		violations := podSecurityViolations(level, &t.Spec)
		if len(violations) == 0 {
			continue
		}
		severity, confidence := s.MissingSeverity(), train.Likely
		if len(podSecurityViolations("baseline", &t.Spec)) == 0 { // a webhook may still set fields that are only missing
			severity, confidence = train.SeverityWarning, train.Possible
		}
		f := s.NewFinding(severity, s.Job.Created)
		f.Confidence = confidence
		f.Title = fmt.Sprintf("PodSecurity %s of namespace %s forbids the pods: %s", level, s.Job.Ref.Namespace, strings.Join(violations, ", "))
		f.Explanation = s.Current.Meaning
		f.Evidence = []train.Evidence{
			rule.FieldEvidence(rule.CoreRef("Namespace", "", s.Job.Ref.Namespace), "metadata.labels["+EnforceLabel+"]", level, s.Job.Created, -1),
			rule.FieldEvidence(t.Ref, t.Path, strings.Join(violations, ", "), s.Job.Created, -1),
		}
		f.Next = podSecuritySteps(s)
		f.Verify = rule.VerifyOf(train.StageAdmission)
		return []train.Finding{f}
	}
	s.CheckPassed(fmt.Sprintf("nothing that the missing pods ask for is forbidden at the namespace's level (%s)", orNone(level)))
	return nil
}

func podSecuritySteps(s *rule.JobContext) []train.Step {
	return append(s.Current.Advice(), rule.Look("See the level that the namespace enforces.", "kubectl", "get", "namespace", s.Job.Ref.Namespace, "--show-labels"))
}

func orNone(level string) string {
	if level == "" {
		return "none is enforced"
	}
	return level
}
