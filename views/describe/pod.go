package describe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/draw"
)

// pod describes a pod's node and status, its containers, and its resources.
func (p *page) pod(pod *corev1.Pod) {
	phase := string(pod.Status.Phase)
	p.fact(0, "Status", spaced(phase, pod.Status.Reason), phaseRole(pod.Status.Phase))
	p.fact(0, "Message", pod.Status.Message, themes.Text)
	p.fact(0, "Node", cmp.Or(pod.Spec.NodeName, "none yet"), themes.Strong)
	p.fact(0, "Node Selector", strings.Join(p.pairs(pod.Spec.NodeSelector, "="), ", "), themes.Text)
	p.facts(0, "Tolerations", tolerations(pod.Spec.Tolerations))
	p.fact(0, "IP", pod.Status.PodIP, themes.Text)
	p.fact(0, "QoS Class", string(pod.Status.QOSClass), themes.Text)
	p.fact(0, "Priority", priority(&pod.Spec), themes.Text)
	p.fact(0, "Service Account", pod.Spec.ServiceAccountName, themes.Text)
	p.fact(0, "Scheduler", scheduler(&pod.Spec), themes.Text)
	p.facts(0, "Scheduling Gates", gates(pod.Spec.SchedulingGates))
	if at := pod.Status.StartTime; at != nil {
		p.fact(0, "Started", p.ago(at.Time), themes.Text)
	}
	p.podConditions(pod)
	p.containers("Init Containers", pod.Spec.InitContainers, pod)
	p.containers("Containers", pod.Spec.Containers, pod)
	p.volumes(pod.Spec.Volumes)
}

func phaseRole(phase corev1.PodPhase) themes.Role {
	switch phase {
	case corev1.PodRunning:
		return themes.Good
	case corev1.PodSucceeded:
		return themes.Done
	case corev1.PodPending:
		return themes.Waiting
	case corev1.PodFailed:
		return themes.Bad
	}
	return themes.Odd
}

func priority(spec *corev1.PodSpec) string {
	if spec.Priority == nil {
		return spec.PriorityClassName
	}
	return spaced(strconv.Itoa(int(*spec.Priority)), spec.PriorityClassName)
}

// scheduler is the pod's scheduler, when it is not the usual one.
func scheduler(spec *corev1.PodSpec) string {
	if spec.SchedulerName == corev1.DefaultSchedulerName {
		return ""
	}
	return spec.SchedulerName
}

func gates(all []corev1.PodSchedulingGate) []string {
	var names []string
	for _, gate := range all {
		names = append(names, gate.Name)
	}
	return names
}

// tolerations are written as kubectl does: "key=value:Effect op=Exists for 300s".
func tolerations(all []corev1.Toleration) []string {
	var texts []string
	for _, t := range all {
		text := t.Key
		if t.Value != "" {
			text += "=" + t.Value
		}
		if t.Effect != "" {
			text += ":" + string(t.Effect)
		}
		if t.Operator == corev1.TolerationOpExists {
			text = spaced(text, "op=Exists")
		}
		if t.TolerationSeconds != nil {
			text += fmt.Sprintf(" for %ds", *t.TolerationSeconds)
		}
		texts = append(texts, text)
	}
	return texts
}

func (p *page) podConditions(pod *corev1.Pod) {
	if len(pod.Status.Conditions) == 0 {
		return
	}
	var rows [][]draw.Span
	for _, c := range pod.Status.Conditions {
		role := themes.Text
		if c.Status != corev1.ConditionTrue && c.Reason != "" {
			role = themes.Strong
		}
		rows = append(rows, []draw.Span{
			{Text: string(c.Type), Role: role}, {Text: string(c.Status), Role: role}, dim(p.age(kinds.HeldSince(pod, c.LastTransitionTime.Time))),
			plain(c.Reason), plain(c.Message),
		})
	}
	p.section("Conditions")
	p.table([]string{"TYPE", "STATUS", "SINCE", "REASON", "MESSAGE"}, rows)
}

// volumes name the source of each; their content is not read.
func (p *page) volumes(all []corev1.Volume) {
	if len(all) == 0 {
		return
	}
	p.section("Volumes")
	for i := range all {
		p.fact(1, all[i].Name, source(&all[i].VolumeSource), themes.Text)
	}
}

// source is the kind of a volume and what it refers to.
func source(v *corev1.VolumeSource) string {
	switch {
	case v.PersistentVolumeClaim != nil:
		text := "PersistentVolumeClaim " + v.PersistentVolumeClaim.ClaimName
		if v.PersistentVolumeClaim.ReadOnly {
			text += " (read only)"
		}
		return text
	case v.ConfigMap != nil:
		return "ConfigMap " + v.ConfigMap.Name + optional(v.ConfigMap.Optional)
	case v.Secret != nil:
		return "Secret " + v.Secret.SecretName + optional(v.Secret.Optional)
	case v.EmptyDir != nil:
		text := spaced("EmptyDir", string(v.EmptyDir.Medium))
		if v.EmptyDir.SizeLimit != nil {
			text += " of at most " + v.EmptyDir.SizeLimit.String()
		}
		return text
	case v.HostPath != nil:
		return "HostPath " + v.HostPath.Path
	case v.NFS != nil:
		return "NFS " + v.NFS.Server + ":" + v.NFS.Path
	case v.CSI != nil:
		return "CSI " + v.CSI.Driver
	case v.Ephemeral != nil:
		return "Ephemeral PersistentVolumeClaim"
	case v.Projected != nil:
		return fmt.Sprintf("Projected from %s", draw.Plural(len(v.Projected.Sources), "source"))
	case v.DownwardAPI != nil:
		return "DownwardAPI"
	case v.Image != nil:
		return "Image " + v.Image.Reference
	}
	return "another kind of volume; the YAML shows it"
}

func optional(is *bool) string {
	if is != nil && *is {
		return " (optional)"
	}
	return ""
}

// resources are amounts in order of their names: "cpu 8, memory 64Gi".
func resources(list corev1.ResourceList) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		amount := list[name]
		parts = append(parts, string(name)+" "+amount.String())
	}
	return strings.Join(parts, ", ")
}
