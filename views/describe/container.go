package describe

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/draw"
)

// containers describes each container with its status.
func (p *page) containers(title string, all []corev1.Container, pod *corev1.Pod) {
	if len(all) == 0 {
		return
	}
	p.section(title)
	for i := range all {
		p.container(&all[i], kinds.ContainerStatus(pod, all[i].Name))
	}
}

func (p *page) container(c *corev1.Container, status *corev1.ContainerStatus) {
	p.add(draw.Span{Text: "  " + c.Name + ":", Role: themes.Strong})
	p.fact(2, "Image", c.Image, themes.Text)
	if status != nil {
		p.state("State", status.State)
		p.state("Last State", status.LastTerminationState)
		p.fact(2, "Ready", strconv.FormatBool(status.Ready), themes.Text)
		p.fact(2, "Restart Count", strconv.Itoa(int(status.RestartCount)), restartRole(status.RestartCount))
	}
	p.fact(2, "Command", p.shortened(strings.Join(c.Command, " ")), themes.Text)
	p.fact(2, "Args", p.shortened(strings.Join(c.Args, " ")), themes.Text)
	p.fact(2, "Requests", resources(c.Resources.Requests), themes.Text)
	p.fact(2, "Limits", resources(c.Resources.Limits), themes.Text)
	p.facts(2, "Environment", p.environment(c))
	p.facts(2, "Mounts", mounts(c.VolumeMounts))
}

func restartRole(n int32) themes.Role {
	if n > 0 {
		return themes.Redoing
	}
	return themes.Text
}

// state describes a container's current or last state; a last state that never
// was is left out.
func (p *page) state(name string, s corev1.ContainerState) {
	switch {
	case s.Running != nil:
		p.fact(2, name, "Running since "+p.ago(s.Running.StartedAt.Time), themes.Good)
	case s.Waiting != nil:
		p.fact(2, name, spaced("Waiting:", s.Waiting.Reason, s.Waiting.Message), themes.Waiting)
	case s.Terminated != nil:
		p.terminated(name, s.Terminated)
	}
}

func (p *page) terminated(name string, t *corev1.ContainerStateTerminated) {
	role := themes.Bad
	if t.ExitCode == 0 {
		role = themes.Done
	}
	text := fmt.Sprintf("Terminated with exit code %d", t.ExitCode)
	if t.Signal != 0 {
		text += fmt.Sprintf(" by signal %d", t.Signal)
	}
	if t.Reason != "" {
		text += ": " + t.Reason
	}
	p.fact(2, name, text, role)
	p.fact(3, "Message", p.shortened(t.Message), themes.Text)
	p.fact(3, "Started", p.ago(t.StartedAt.Time), themes.Dim)
	p.fact(3, "Finished", p.ago(t.FinishedAt.Time), themes.Dim)
}

// environment lists variables by name, with the values that are kept: most
// literal values are dropped when objects are read, since they may be secret.
func (p *page) environment(c *corev1.Container) []string {
	var all []string
	for _, from := range c.EnvFrom {
		switch {
		case from.ConfigMapRef != nil:
			all = append(all, "all of ConfigMap "+from.ConfigMapRef.Name+prefixed(from.Prefix))
		case from.SecretRef != nil:
			all = append(all, "all of Secret "+from.SecretRef.Name+prefixed(from.Prefix))
		}
	}
	for i := range c.Env {
		all = append(all, p.variable(&c.Env[i]))
	}
	return all
}

func prefixed(prefix string) string {
	if prefix == "" {
		return ""
	}
	return ", each after " + prefix
}

func (p *page) variable(v *corev1.EnvVar) string {
	from := v.ValueFrom
	switch {
	case from != nil && from.SecretKeyRef != nil:
		return fmt.Sprintf("%s from key %s of Secret %s", v.Name, from.SecretKeyRef.Key, from.SecretKeyRef.Name)
	case from != nil && from.ConfigMapKeyRef != nil:
		return fmt.Sprintf("%s from key %s of ConfigMap %s", v.Name, from.ConfigMapKeyRef.Key, from.ConfigMapKeyRef.Name)
	case from != nil && from.FieldRef != nil:
		return fmt.Sprintf("%s from field %s", v.Name, from.FieldRef.FieldPath)
	case from != nil && from.ResourceFieldRef != nil:
		return fmt.Sprintf("%s from resource %s", v.Name, from.ResourceFieldRef.Resource)
	case v.Value == "":
		return v.Name + " (no value kept)"
	}
	return p.shortened(v.Name + "=" + v.Value)
}

func mounts(all []corev1.VolumeMount) []string {
	var texts []string
	for _, m := range all {
		text := m.MountPath + " from " + m.Name
		if m.SubPath != "" {
			text += ", path " + m.SubPath
		}
		if m.ReadOnly {
			text += " (read only)"
		}
		texts = append(texts, text)
	}
	return texts
}
