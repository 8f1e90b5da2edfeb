package diagnose

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// pod is the pod that a sign is about, nil for none.
func (s *match) pod() *pod {
	switch {
	case s == nil:
		return nil
	case s.message != nil:
		return s.message.pod
	case s.failure != nil:
		return s.failure.pod
	}
	return nil
}

// node is where the sign's pod runs.
func (s *match) node() string {
	if p := s.pod(); p != nil && p.Spec.NodeName != "" {
		return plain(p.Spec.NodeName)
	}
	return "?"
}

// image is the image that a sign is about, and the node that wants it: that of
// the container, else the one that the text quotes.
func (s *match) image() (image, node string) {
	node = s.node()
	if p := s.pod(); p != nil {
		name := ""
		if s.message != nil {
			name = s.message.container
		} else if s.failure != nil {
			name = s.failure.container
		}
		if c := containerNamed(p.Pod, cmp.Or(name, p.rank.Container)); c != nil {
			return plain(c.Image), node
		}
	}
	return plain(cmp.Or(between(s.text(), `image "`, `"`), "?")), node
}

func containerNamed(pod *corev1.Pod, name string) *corev1.Container {
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// volume is the volume that a text names, and the claim behind it.
func (s *match) volume() string {
	name := cmp.Or(between(s.text(), "unmounted volumes=[", "]"), between(s.text(), `for volume "`, `"`))
	if name == "" {
		return "its volumes"
	}
	if p := s.pod(); p != nil {
		for i := range p.Spec.Volumes {
			if v := &p.Spec.Volumes[i]; v.Name == name && v.PersistentVolumeClaim != nil {
				return plain(fmt.Sprintf("volume %s (claim %s)", name, v.PersistentVolumeClaim.ClaimName))
			}
		}
	}
	return plain("volume " + name)
}

// wholeJob is who a finding is about that names no ranks.
const wholeJob = "the job"

// ranksOf names the ranks of a finding as people call them, or says that it is
// the job as a whole.
func (s *jobContext) ranksOf(f *train.Finding) string {
	var list []string
	for i := range s.job.Ranks {
		r := &s.job.Ranks[i]
		for _, index := range f.Ranks {
			if r.Index == index {
				list = append(list, rankName(r))
				break
			}
		}
	}
	if len(list) == 0 {
		return wholeJob
	}
	return names(list)
}

// imageSteps are what to look at about an image that does not come.
func (s *jobContext) imageSteps(f *train.Finding, by *match) []train.Step {
	var steps []train.Step
	if len(f.Next) == 0 {
		steps = append(steps, do(s.current.fix))
	}
	if p := by.pod(); p != nil {
		steps = append(steps, look("See what the kubelet says.", kubectl("describe", s.ref(p))...))
	}
	return steps
}

// explainPullSecrets says which credentials the pod has for its registry.
func (s *jobContext) explainPullSecrets(f *train.Finding, by *match) {
	p := by.pod()
	if p == nil {
		return
	}
	if e := lastEvent(s.podEvents(p), "FailedToRetrieveImagePullSecret"); e != nil {
		f.Explanation += " The kubelet says: " + plain(e.Message)
	}
	if len(p.Spec.ImagePullSecrets) == 0 {
		f.Explanation += " The pod names no imagePullSecrets."
		f.Next = []train.Step{do("Make a Secret of type kubernetes.io/dockerconfigjson with credentials, and name it in imagePullSecrets of the job's pod template or its service account.")}
		return
	}
	var list []string
	for _, secret := range p.Spec.ImagePullSecrets {
		list = append(list, secret.Name)
		if _, presence := s.lookUp(secretKind, p.Namespace, secret.Name); presence == train.Absent {
			f.Explanation += fmt.Sprintf(" The pull secret %s does not exist in namespace %s.", secret.Name, p.Namespace)
			f.Evidence = append(f.Evidence, fieldEvidence(coreRef("Secret", p.Namespace, secret.Name), "", "does not exist", time.Time{}, -1))
		}
	}
	f.Evidence = append(f.Evidence, fieldEvidence(s.ref(p), "spec.imagePullSecrets", names(list), time.Time{}, rankOf(p)))
	f.Next = []train.Step{do(fmt.Sprintf("Check that %s holds valid credentials for this registry, and that the image's name is right.", names(list)))}
}

// registryTrouble says which part of the way to the registry fails.
func registryTrouble(text string) string {
	switch {
	case hasAny(text, "no such host", "server misbehaving", "name resolution"):
		return "Its name does not resolve on the node."
	case hasAny(text, "x509", "certificate"):
		return "Its certificate is not trusted by the node's container runtime."
	case hasAny(text, "HTTP response to HTTPS"):
		return "It speaks plain HTTP, which the container runtime allows only where its configuration says so."
	case hasAny(text, "connection refused"):
		return "Nothing listens at its address."
	case hasAny(text, "timeout", "timed out", "deadline", "unreachable", "no route"):
		return "The network does not let the node through to it."
	}
	return ""
}

// missingSteps are what to do about an object that pods name and nobody made.
func (s *jobContext) missingSteps(kind, name string) []train.Step {
	return []train.Step{
		do(fmt.Sprintf("Create the %s %s in namespace %s, or correct its name in the job.", kind, name, s.job.Ref.Namespace)),
		look("See those that exist here.", "kubectl", "get", kind+"s", "-n", s.job.Ref.Namespace),
	}
}

// lastName is the name in "namespace/name", or the fallback.
func lastName(path, fallback string) string {
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		return path[at+1:]
	}
	return cmp.Or(path, fallback)
}

// showStep is the command that shows a person what the finding was read from.
func (s *jobContext) showStep(by *match) train.Step {
	switch {
	case by != nil && by.failure != nil && by.failure.pod != nil && by.failure.container != "":
		arguments := []string{"kubectl", "logs", "pod/" + by.failure.pod.Name, "-n", by.failure.pod.Namespace, "-c", by.failure.container, "--tail=100"}
		if status := statusNow(by.failure); status != nil && status.State.Terminated == nil {
			arguments = append(arguments, "--previous")
		}
		return look("Read the end of the log of "+by.failure.name()+".", arguments...)
	case by != nil && by.message != nil && by.message.pod != nil:
		return look("See all that is said about the pod.", kubectl("describe", s.ref(by.message.pod))...)
	}
	return look("See all that is said about the job.", kubectl("describe", s.job.Ref)...)
}
