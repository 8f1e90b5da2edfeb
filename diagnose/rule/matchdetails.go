package rule

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Pod returns the pod that a match is about, nil for none.
func (s *Match) Pod() *Pod {
	switch {
	case s == nil:
		return nil
	case s.Message != nil:
		return s.Message.Pod
	case s.Failure != nil:
		return s.Failure.Pod
	}
	return nil
}

// Node returns the node of the match's pod.
func (s *Match) Node() string {
	if p := s.Pod(); p != nil && p.Spec.NodeName != "" {
		return Plain(p.Spec.NodeName)
	}
	return "?"
}

// Image returns the image that a match is about, and the node that pulls it:
// that of the container, else the one that the text quotes.
func (s *Match) Image() (image, node string) {
	node = s.Node()
	if p := s.Pod(); p != nil {
		name := ""
		if s.Message != nil {
			name = s.Message.Container
		} else if s.Failure != nil {
			name = s.Failure.Container
		}
		if c := ContainerNamed(p.Pod, cmp.Or(name, p.Rank.Container)); c != nil {
			return Plain(c.Image), node
		}
	}
	return Plain(cmp.Or(Between(s.Text(), `image "`, `"`), "?")), node
}

func ContainerNamed(pod *corev1.Pod, name string) *corev1.Container {
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// Volume returns the volume that a text names, and its claim.
func (s *Match) Volume() string {
	name := cmp.Or(Between(s.Text(), "unmounted volumes=[", "]"), Between(s.Text(), `for volume "`, `"`))
	if name == "" {
		return "its volumes"
	}
	if p := s.Pod(); p != nil {
		for i := range p.Spec.Volumes {
			if v := &p.Spec.Volumes[i]; v.Name == name && v.PersistentVolumeClaim != nil {
				return Plain(fmt.Sprintf("volume %s (claim %s)", name, v.PersistentVolumeClaim.ClaimName))
			}
		}
	}
	return Plain("volume " + name)
}

// WholeJob is the subject of a finding that names no ranks.
const WholeJob = "the job"

// RanksOf names the ranks of a finding, or the job as a whole.
func (s *JobContext) RanksOf(f *train.Finding) string {
	var list []string
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		for _, index := range f.Ranks {
			if r.Index == index {
				list = append(list, RankName(r))
				break
			}
		}
	}
	if len(list) == 0 {
		return WholeJob
	}
	return Names(list)
}

// ImageSteps returns what to check about an image that is not pulled.
func (s *JobContext) ImageSteps(f *train.Finding, match *Match) []train.Step {
	var steps []train.Step
	if len(f.Next) == 0 {
		steps = s.Current.Advice()
	}
	if p := match.Pod(); p != nil {
		steps = append(steps, Look("See what the kubelet says.", Kubectl("describe", s.Ref(p))...))
	}
	return steps
}

// ExplainPullSecrets adds which credentials the pod has for its registry.
func (s *JobContext) ExplainPullSecrets(f *train.Finding, match *Match) {
	p := match.Pod()
	if p == nil {
		return
	}
	if e := LastEvent(s.PodEvents(p), "FailedToRetrieveImagePullSecret"); e != nil {
		f.Explanation += " The kubelet says: " + Plain(e.Message)
	}
	if len(p.Spec.ImagePullSecrets) == 0 {
		f.Explanation += " The pod names no imagePullSecrets."
		f.Next = []train.Step{Do("Make a Secret of type kubernetes.io/dockerconfigjson with credentials, and name it in imagePullSecrets of the job's pod template or its service account.")}
		return
	}
	var list []string
	for _, secret := range p.Spec.ImagePullSecrets {
		list = append(list, secret.Name)
		if _, presence := s.LookUp(SecretKind, p.Namespace, secret.Name); presence == train.Absent {
			f.Explanation += fmt.Sprintf(" The pull secret %s does not exist in namespace %s.", secret.Name, p.Namespace)
			f.Evidence = append(f.Evidence, FieldEvidence(CoreRef("Secret", p.Namespace, secret.Name), "", "does not exist", time.Time{}, -1))
		}
	}
	f.Evidence = append(f.Evidence, FieldEvidence(s.Ref(p), "spec.imagePullSecrets", Names(list), time.Time{}, RankOf(p)))
	f.Next = []train.Step{Do(fmt.Sprintf("Check that %s holds valid credentials for this registry, and that the image's name is right.", Names(list)))}
}

// RegistryTrouble returns which part of the connection to the registry fails.
func RegistryTrouble(text string) string {
	switch {
	case HasAny(text, "no such host", "server misbehaving", "name resolution"):
		return "Its name does not resolve on the node."
	case HasAny(text, "x509", "certificate"):
		return "Its certificate is not trusted by the node's container runtime."
	case HasAny(text, "HTTP response to HTTPS"):
		return "It speaks plain HTTP, which the container runtime allows only where its configuration says so."
	case HasAny(text, "connection refused"):
		return "Nothing listens at its address."
	case HasAny(text, "timeout", "timed out", "deadline", "unreachable", "no route"):
		return "The network does not let the node through to it."
	}
	return ""
}

// MissingSteps returns what to do about an object that pods name and that does
// not exist.
func (s *JobContext) MissingSteps(kind, name string) []train.Step {
	return []train.Step{
		Do(fmt.Sprintf("Create the %s %s in namespace %s, or correct its name in the job.", kind, name, s.Job.Ref.Namespace)),
		Look("See those that exist here.", "kubectl", "get", termtext.Plural(2, kind), "-n", s.Job.Ref.Namespace),
	}
}

// LastName returns the name in "namespace/name", or the fallback.
func LastName(path, fallback string) string {
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		return path[at+1:]
	}
	return cmp.Or(path, fallback)
}

// ShowStep returns the command that shows what the finding was read from.
func (s *JobContext) ShowStep(match *Match) train.Step {
	switch {
	case match != nil && match.Failure != nil && match.Failure.Pod != nil && match.Failure.Container != "":
		arguments := []string{"kubectl", "logs", "pod/" + match.Failure.Pod.Name, "-n", match.Failure.Pod.Namespace, "-c", match.Failure.Container, "--tail=100"}
		if status := StatusNow(match.Failure); status != nil && status.State.Terminated == nil {
			arguments = append(arguments, "--previous")
		}
		return Look("Read the end of the log of "+match.Failure.Name()+".", arguments...)
	case match != nil && match.Message != nil && match.Message.Pod != nil:
		return Look("See all that is said about the pod.", Kubectl("describe", s.Ref(match.Message.Pod))...)
	}
	return Look("See all that is said about the job.", Kubectl("describe", s.Job.Ref)...)
}
