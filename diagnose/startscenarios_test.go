package diagnose

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// starting returns a job of one worker on node gpu-0 that does not start.
func starting(change ...func(*corev1.Pod)) func(*cluster) {
	return func(c *cluster) {
		c.job(1, created)
		c.node("gpu-0", 8)
		c.worker(0, append([]func(*corev1.Pod){on("gpu-0")}, change...)...)
	}
}

// sharing returns a rank that is created on gpu-0, while another runs, and one
// claim for both.
func sharing(mode corev1.PersistentVolumeAccessMode, other string) func(*cluster) {
	return func(c *cluster) {
		c.job(2, created)
		c.node("gpu-0", 16)
		c.node("gpu-1", 8)
		c.worker(0, on("gpu-0"), mounts("ckpt"))
		c.worker(1, running(other, 8), mounts("ckpt"))
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "ckpt", Namespace: ns, CreationTimestamp: before(10)}}
		claim.Spec.AccessModes, claim.Spec.VolumeName, claim.Status.Phase = []corev1.PersistentVolumeAccessMode{mode}, "pv-ckpt", corev1.ClaimBound
		c.add(rule.ClaimKind, claim)
	}
}

func says(reason, message string) func(*cluster) {
	return func(c *cluster) { c.warn("Pod", "bert-worker-0", reason, message) }
}

// toolkit are the words before those of the NVIDIA container toolkit (runc 1.1,
// containerd 1.7).
const toolkit = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error running prestart hook #0: exit status 1, stdout: , stderr: Auto-detected mode as 'legacy'\nnvidia-container-cli: "

// Texts of container runtimes and registries, as the kubelet reports them.
func TestImagesAreExplained(t *testing.T) {
	const pull = `Back-off pulling image "registry.example.com/bert:1": ErrImagePull: `
	back := func(message string) func(*cluster) { return starting(waits("ImagePullBackOff", pull+message)) }
	runScenarios(t, []scenario{
		{name: "no such tag", want: "image-not-found", severity: train.SeverityError, title: "registry.example.com/bert:1",
			build: back(`rpc error: code = NotFound desc = failed to pull and unpack image "registry.example.com/bert:1": failed to resolve reference "registry.example.com/bert:1": registry.example.com/bert:1: not found`)},
		{name: "no such tag, by Docker", want: "image-not-found", build: starting(waits("ErrImagePull", "Error response from daemon: manifest for registry.example.com/bert:1 not found: manifest unknown: manifest unknown"))},
		{name: "back-off without a cause, which the event has", want: "image-not-found", build: both(starting(waits("ImagePullBackOff", `Back-off pulling image "registry.example.com/bert:1"`)),
			says("Failed", `Failed to pull image "registry.example.com/bert:1": rpc error: code = Unknown desc = Error response from daemon: manifest unknown`))},
		{name: "no credentials", want: "image-pull-unauthorized", build: back(`failed to pull and unpack image "registry.example.com/bert:1": failed to resolve reference "registry.example.com/bert:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`)},
		{name: "too many pulls", want: "image-pull-rate-limited", build: back(`failed to copy: httpReadSeeker: failed open: unexpected status code: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit.`)},
		{name: "no way to the registry", want: "image-registry-unreachable", title: "gpu-0", build: back(`failed to resolve reference "registry.example.com/bert:1": failed to do request: Head "https://registry.example.com/v2/bert/manifests/1": dial tcp: lookup registry.example.com: no such host`)},
		{name: "a certificate that is not trusted", want: "image-registry-unreachable", build: back(`failed to do request: Head "https://registry.example.com/v2/": tls: failed to verify certificate: x509: certificate signed by unknown authority`)},
		{name: "no disk for the image", want: "image-disk-full", build: back(`failed to extract layer sha256:abc: write /var/lib/containerd/x: no space left on device`)},
		{name: "a name that is none", want: "invalid-image-name", build: starting(waits("InvalidImageName", `Failed to apply default image tag "registry.example.com/Bert 1": couldn't parse image name "registry.example.com/Bert 1": invalid reference format`))},
		{name: "never pulled", want: "image-never-pull", severity: train.SeverityError, build: starting(waits("ErrImageNeverPull", `Container image "registry.example.com/bert:1" is not present with pull policy of Never`))},
		{name: "for another processor, at pull", want: "image-arch-mismatch", build: back("no match for platform in manifest: not found")},
		{name: "for another processor, in the log", want: "image-arch-mismatch", build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, crashing("gpu-0", 255, "Error", "exec /bin/train: exec format error", 3))
		}},
		{name: "a slow pull is no error", want: "", build: both(starting(), func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Normal", "Pulling", `Pulling image "registry.example.com/bert:1"`, 5)
		})},
		{name: "near miss: tried again with success", want: "", never: []train.Cause{"image-not-found", "image-registry-unreachable"}, build: func(c *cluster) {
			starting()(c)
			c.event("Pod", "bert-worker-0", "Warning", "Failed", `Failed to pull image "registry.example.com/bert:1": dial tcp 10.0.0.1:443: i/o timeout`, 5)
			c.event("Pod", "bert-worker-0", "Normal", "Pulled", `Successfully pulled image "registry.example.com/bert:1" in 6m3s`, 1)
		}},
	})
}

// A pull that fails for a reason that no message names is not called a missing
// image.
func TestUnknownPullIsPossible(t *testing.T) {
	for name, test := range map[string]struct{ reason, text, title string }{
		"events gone":        {"ImagePullBackOff", `Back-off pulling image "registry.example.com/bert:1"`, "cannot be pulled; why is not known"},
		"a layer is damaged": {"ErrImagePull", `failed to pull and unpack image "registry.example.com/bert:1": failed commit on ref "layer-sha256:11": unexpected commit digest sha256:22, expected sha256:11: failed precondition`, "unexpected commit digest"},
		"not readable":       {"ImageInspectError", `Failed to inspect image "registry.example.com/bert:1": rpc error: code = Unknown desc = layer not known`, "layer not known"},
		"not signed":         {"SignatureValidationFailed", "no signature accepted", "SignatureValidationFailed: no signature accepted"},
	} {
		f := &answerOf(t, starting(waits(test.reason, test.text))).Findings[0]
		if f.Confidence != train.Possible || !strings.Contains(f.Title, test.title) || strings.Contains(f.Title, "does not exist") || f.Cause != "image-not-found" {
			t.Errorf("%s: got %s, %s: %q", name, f.Cause, f.Confidence, f.Title)
		}
	}
	known := answerOf(t, starting(waits("ErrImagePull", "manifest unknown: manifest unknown"))).Findings[0]
	if known.Confidence != train.Certain || !strings.Contains(known.Title, "does not exist") {
		t.Errorf("got %s: %q", known.Confidence, known.Title)
	}
}

// A start error without words that prove a cause is possible, as is a missing
// path of the node that the pod does not name.
func TestUnprovenStartIsPossible(t *testing.T) {
	for text, want := range map[string]train.Cause{
		`OCI runtime create failed: runc create failed: unable to start container process: unable to apply cgroup configuration: write /sys/fs/cgroup/pids/x: no space left on device: unknown`:            "application-error",
		`OCI runtime create failed: runc create failed: error mounting "/usr/lib/libcuda.so.570" to rootfs at "/usr/lib/libcuda.so.570": stat /usr/lib/libcuda.so.570: no such file or directory: unknown`: "hostpath-missing",
	} {
		f := &answerOf(t, starting(waits("RunContainerError", text))).Findings[0]
		if f.Cause != want || f.Confidence != train.Possible {
			t.Errorf("got %s, %s: %q", f.Cause, f.Confidence, f.Title)
		}
	}
}

// Texts of the kubelet's volume manager and of mount helpers.
func TestMountsAreExplained(t *testing.T) {
	env := func(p *corev1.Pod) {
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "TOKEN", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "hub"}, Key: "token"}}}}
	}
	runScenarios(t, []scenario{
		{name: "no such ConfigMap, mounted", want: "configmap-not-found", title: "bert-config", build: both(starting(), says("FailedMount", `MountVolume.SetUp failed for volume "config" : configmap "bert-config" not found`))},
		{name: "no such ConfigMap, in the environment", want: "configmap-not-found", build: starting(waits("CreateContainerConfigError", `configmap "bert-config" not found`))},
		{name: "near miss: the cache was not filled yet", want: "", never: []train.Cause{"configmap-not-found", "failed-mount-timeout"}, build: both(starting(), says("FailedMount", `MountVolume.SetUp failed for volume "config" : failed to sync configmap cache: timed out waiting for the condition`))},
		{name: "no such Secret", want: "secret-not-found", title: "hub", build: starting(waits("CreateContainerConfigError", `secret "hub" not found`))},
		{name: "no such Secret, before the kubelet says so", want: "secret-not-found", title: "hub", build: both(waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", env), func(c *cluster) {
			c.job(1, created)
			c.node("gpu-0", 8)
		})},
		{name: "near miss: Secrets cannot be read", want: "", never: []train.Cause{"secret-not-found"}, build: both(starting(env), func(c *cluster) { c.unreadable(rule.SecretKind) })},
		{name: "near miss: an optional Secret", want: "", never: []train.Cause{"secret-not-found"}, build: starting(func(p *corev1.Pod) {
			env(p)
			yes := true
			p.Spec.Containers[0].Env[0].ValueFrom.SecretKeyRef.Optional = &yes
		})},
		{name: "a key is missing", want: "secret-key-missing", build: starting(waits("CreateContainerConfigError", "couldn't find key token in Secret ml/hub"))},
		{name: "a key of a ConfigMap is missing", want: "configmap-key-missing", build: both(starting(), says("FailedMount", `MountVolume.SetUp failed for volume "config" : configmap references non-existent config key: train.yaml`))},
		{name: "a path of the node is missing", want: "hostpath-missing", title: "/data", build: both(starting(), says("FailedMount", `MountVolume.SetUp failed for volume "d" : hostPath type check failed: /data is not a directory`))},
		{name: "what is mounted on the node does not answer: transport endpoint is not connected", want: "failed-mount-timeout", title: "worker-0 cannot use /mnt/data on node gpu-0: transport endpoint is not connected", never: []train.Cause{"hostpath-missing"}, build: starting(waits("CreateContainerError", `failed to generate container "x" spec: failed to generate spec: failed to stat "/mnt/data": stat /mnt/data: transport endpoint is not connected`))},
		{name: "what is mounted on the node does not answer: stale NFS file handle", want: "failed-mount-timeout", title: "worker-0 cannot use /mnt/data on node gpu-0: stale NFS file handle", never: []train.Cause{"hostpath-missing"}, build: starting(waits("CreateContainerError", `failed to generate container "x" spec: failed to generate spec: failed to stat "/mnt/data": stat /mnt/data: stale NFS file handle`))},
		{name: "what is mounted on the node does not answer: input/output error", want: "failed-mount-timeout", title: "worker-0 cannot use /mnt/data on node gpu-0: input/output error", never: []train.Cause{"hostpath-missing"}, build: starting(waits("CreateContainerError", `failed to generate container "x" spec: failed to generate spec: failed to stat "/mnt/data": stat /mnt/data: input/output error`))},
		{name: "what is mounted on the node does not answer: host is down", want: "failed-mount-timeout", title: "worker-0 cannot use /mnt/data on node gpu-0: host is down", never: []train.Cause{"hostpath-missing"}, build: starting(waits("CreateContainerError", `failed to generate container "x" spec: failed to generate spec: failed to stat "/mnt/data": stat /mnt/data: host is down`))},
		{name: "near miss: the path is not there", want: "hostpath-missing", title: "/mnt/data", build: starting(waits("CreateContainerError", `failed to generate container "x" spec: failed to generate spec: failed to stat "/mnt/data": stat /mnt/data: no such file or directory`))},
		{name: "a mount helper is missing", want: "mount-helper-missing", build: both(starting(), says("FailedMount", `MountVolume.SetUp failed for volume "d" : mount failed: exit status 32 mount: wrong fs type, bad option, bad superblock on nas:/x, missing codepage or helper program, or other error (need a /sbin/mount.nfs helper program)`))},
		{name: "the server does not answer", want: "failed-mount-timeout", build: both(starting(mounts("data")), func(c *cluster) { c.claim("data", corev1.ClaimBound, "nfs") }, says("FailedMount", `MountVolume.SetUp failed for volume "data" : mount failed: exit status 32 Output: mount.nfs: Connection timed out`))},
		{name: "a follow-up hides under its cause", want: "configmap-not-found", never: []train.Cause{"failed-mount-timeout"}, build: both(starting(),
			says("FailedMount", `Unable to attach or mount volumes: unmounted volumes=[config], unattached volumes=[config kube-api-access-x]: timed out waiting for the condition`),
			says("FailedMount", `MountVolume.SetUp failed for volume "config" : configmap "bert-config" not found`))},
		{name: "the driver is not on the node", want: "csi-driver-missing", title: "x.csi.y", build: both(starting(), says("FailedMount", `MountVolume.MountDevice failed for volume "pvc-1" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name x.csi.y not found in the list of registered CSI drivers`))},
		{name: "attached elsewhere", want: "multi-attach", build: both(starting(), func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Warning", "FailedAttachVolume", `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) other`, 8)
		})},
		{name: "held by another rank, no event yet", want: "multi-attach", title: "Claim ckpt is in use on another node", severity: train.SeverityError, build: sharing(corev1.ReadWriteOnce, "gpu-1")},
		{name: "held by another rank, two wait", want: "multi-attach", title: "worker-0, worker-2", build: both(sharing(corev1.ReadWriteOnce, "gpu-1"), func(c *cluster) {
			c.node("gpu-2", 8)
			c.worker(2, on("gpu-2"), mounts("ckpt"))
		})},
		{name: "near miss: several nodes may", want: "", build: sharing(corev1.ReadWriteMany, "gpu-1")},
		{name: "near miss: on the same node", want: "", build: sharing(corev1.ReadWriteOnce, "gpu-0")},
		{name: "near miss: a folder of a server", want: "", build: both(sharing(corev1.ReadWriteOnce, "gpu-1"), func(c *cluster) {
			c.add(rule.VolumeKind, &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "pv-ckpt"}, Spec: corev1.PersistentVolumeSpec{PersistentVolumeSource: corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "10.0.0.9"}}}})
		})},
		{name: "near miss: its image is pulled", want: "", build: both(sharing(corev1.ReadWriteOnce, "gpu-1"), func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Normal", "Pulling", `Pulling image "x"`, 8)
		})},
		{name: "near miss: its volume is lost", want: "pvc-lost", never: []train.Cause{"multi-attach"}, build: both(sharing(corev1.ReadWriteOnce, "gpu-1"), func(c *cluster) {
			claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "ckpt", Namespace: ns, CreationTimestamp: before(10)}}
			claim.Spec.AccessModes, claim.Spec.VolumeName, claim.Status.Phase = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, "pv-ckpt", corev1.ClaimLost
			c.add(rule.ClaimKind, claim)
		})},
		{name: "near miss: another volume does not come", want: "configmap-not-found", never: []train.Cause{"multi-attach"}, build: both(sharing(corev1.ReadWriteOnce, "gpu-1"), says("FailedMount", `MountVolume.SetUp failed for volume "config" : configmap "bert-config" not found`))},
		{name: "near miss: handed over", want: "", never: []train.Cause{"multi-attach"}, build: both(starting(), func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Warning", "FailedAttachVolume", `Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can't be attached to another`, 8)
			c.event("Pod", "bert-worker-0", "Normal", "SuccessfulAttachVolume", `AttachVolume.Attach succeeded for volume "pvc-1"`, 2)
		})},
	})
}

// Of many attempts only the newest is quoted: their texts differ in an ID.
func TestAttemptsAreQuotedOnce(t *testing.T) {
	answer := answerOf(t, both(starting(), func(c *cluster) {
		for minutes, id := range []string{"18301c98c30bb48b", "5a048210d83ba21a", "d21d20a8493c0993"} {
			c.event("Pod", "bert-worker-0", "Warning", "FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "`+id+`": plugin type="calico" failed (add)`, float64(1+minutes))
		}
	}))
	f := &answer.Findings[0]
	if f.Cause != "sandbox-network" || len(f.Evidence) != 1 || !strings.Contains(f.Evidence[0].Text, "18301c98c30bb48b") {
		t.Errorf("got %+v", f)
	}
}

// Texts of the kubelet, runc and containerd.
func TestStartsAreExplained(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "no such program", want: "command-not-found", title: "python4", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 128, "StartError", `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "python4": executable file not found in $PATH`, 1))
		}},
		{name: "a subPath of another type, no path of the node", want: "failed-mount-timeout", title: "cannot mount", never: []train.Cause{"hostpath-missing", "command-not-found"}, build: starting(waits("RunContainerError", `OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/var/lib/kubelet/pods/1/volume-subpaths/conf/main/0" to rootfs at "/etc/a.yaml": mount src=/var/lib/kubelet/pods/1/volume-subpaths/conf/main/0, dst=/etc/a.yaml: not a directory: unknown`))},
		{name: "a mount onto a file", want: "failed-mount-timeout", never: []train.Cause{"command-not-found"}, build: starting(waits("RunContainerError", `OCI runtime create failed: runc create failed: unable to start container process: error mounting "/out" to rootfs: not a directory`))},
		{name: "a working directory on a read-only file system", want: "permission-denied", never: []train.Cause{"command-not-found"}, build: starting(waits("RunContainerError", `OCI runtime create failed: runc create failed: unable to start container process: error during container init: mkdir /scratch: read-only file system: unknown`))},
		{name: "a working directory of another user", want: "permission-denied", never: []train.Cause{"command-not-found"}, build: starting(waits("RunContainerError", `OCI runtime create failed: runc create failed: cannot chdir to "/src": permission denied: unknown`))},
		{name: "no such working directory", want: "command-not-found", title: "Working directory /src", build: starting(waits("RunContainerError", `OCI runtime create failed: runc create failed: unable to start container process: chdir to cwd ("/src") set in config.json failed: no such file or directory: unknown`))},
		{name: "a limit of the node's cgroups", want: "application-error", title: "The node cannot start container", never: []train.Cause{"command-not-found", "no-space-left"}, build: starting(waits("RunContainerError", `OCI runtime create failed: runc create failed: unable to start container process: unable to apply cgroup configuration: failed to write 77: write /sys/fs/cgroup/pids/x: no space left on device: unknown`))},
		{name: "a program of the node is missing", want: "application-error", title: "The node cannot start container", never: []train.Cause{"command-not-found"}, build: starting(waits("CreateContainerError", `failed to create containerd container: get node tool version: exec: "node-tool": executable file not found in $PATH`))},
		{name: "the image runs as root", want: "permission-denied", title: "may not run as its image's user", never: []train.Cause{"pod-security-denied"}, build: starting(waits("CreateContainerConfigError", `container has runAsNonRoot and image will run as root (pod: "bert-worker-0_ml(1)", container: pytorch)`))},
		{name: "no such program, waiting", want: "command-not-found", build: starting(waits("RunContainerError", `failed to start container "abc": Error response from daemon: OCI runtime create failed: exec: "/train.sh": stat /train.sh: no such file or directory: unknown`))},
		{name: "an option for a program", want: "command-not-found", title: "--lr", build: starting(waits("RunContainerError", `OCI runtime create failed: runc create failed: unable to start container process: exec: "--lr": executable file not found in $PATH`))},
		{name: "inside a shell", want: "command-not-found", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 127, "Error", "", 1))
		}},
		{name: "no x bit", want: "permission-denied", build: starting(waits("RunContainerError", `OCI runtime create failed: runc create failed: unable to start container process: exec: "/train.sh": permission denied`))},
		{name: "no network", want: "sandbox-network", title: "gpu-0", build: both(starting(), says("FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "abc": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized`))},
		{name: "near miss: the network came", want: "", build: both(starting(), func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Warning", "FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "abc": plugin type="calico" failed (add)`, 5)
			c.event("Pod", "bert-worker-0", "Normal", "Pulling", `Pulling image "x"`, 1)
		})},
		{name: "the sandbox fails without its network", want: "application-error", title: "Node gpu-0 cannot create the sandbox of worker-0", never: []train.Cause{"sandbox-network"}, build: both(starting(), says("FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to start shim: fork/exec /usr/bin/containerd-shim-runc-v2: cannot allocate memory`))},
		{name: "the sandbox fails again and again, since a moment ago", want: "application-error", title: "cannot create the sandbox", build: both(starting(), func(c *cluster) {
			e := c.newEvent("Pod", "bert-worker-0", "Warning", "FailedCreatePodSandBox", "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: can't get final child's PID from pipe: EOF", 0)
			e.Count, e.FirstTimestamp, e.Source.Component = 30, e.LastTimestamp, "kubelet"
			c.add(kinds.EventKind, e)
		})},
		{name: "the sandbox's name is taken", want: "application-error", title: "is reserved for", never: []train.Cause{"sandbox-network"}, build: both(starting(), says("FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to reserve sandbox name "bert-worker-0_ml_1_0": name "bert-worker-0_ml_1_0" is reserved for "3f"`))},
		{name: "a plugin's own words of the network", want: "sandbox-network", build: both(starting(), says("FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create pod interface: no free addresses in the subnet`))},
		{name: "the driver does not answer the toolkit", want: "device-allocation-failed", title: "Node gpu-0 could not prepare the container of worker-0 for its GPU: initialization error: driver rpc error: timed out", never: []train.Cause{"cuda-driver-mismatch"}, build: starting(waits("RunContainerError", toolkit+"initialization error: driver rpc error: timed out: unknown"))},
		{name: "the image has the driver's files", want: "application-error", title: "nvidia-container-cli: mount error: file creation failed", never: []train.Cause{"device-allocation-failed"}, build: starting(waits("RunContainerError", toolkit+"mount error: file creation failed: /run/containerd/rootfs/usr/bin/nvidia-smi: file exists: unknown"))},
		{name: "the toolkit's ldconfig is not there", want: "application-error", title: "nvidia-container-cli: ldcache error", never: []train.Cause{"device-allocation-failed"}, build: starting(waits("RunContainerError", toolkit+"ldcache error: open failed: /sbin/ldconfig.real: no such file or directory: unknown"))},
		{name: "near miss: a device file of the driver is not there", want: "device-allocation-failed", build: starting(waits("RunContainerError", toolkit+"mount error: stat failed: /dev/nvidia-uvm: no such file or directory: unknown"))},
		{name: "a container that was never started", want: "application-error", title: "The node cannot start container pytorch of worker-0: failed to create containerd task", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 128, "StartError", "failed to create containerd task: unable to find user ada: no matching entries in passwd file", 1))
		}},
		{name: "no runtime on the node", want: "runtime-class-missing", title: "nvidia", build: both(starting(), says("FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "nvidia" is configured`))},
		{name: "the driver is older than the image", want: "cuda-driver-mismatch", build: starting(waits("RunContainerError", `failed to create containerd task: OCI runtime create failed: runc create failed: error running hook #0: nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.4, please update your driver to a newer version`))},
		{name: "a device that was promised", want: "device-allocation-failed", title: "gpu-0", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, turnedAway("gpu-0", "UnexpectedAdmissionError", "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 8, Available: 7, which is unexpected"))
		}},
		{name: "the node was full after all", want: "node-rejected-pod", title: "too little nvidia.com/gpu left: 8 asked for, 8 of 8 in use", never: []train.Cause{"device-allocation-failed"}, build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, turnedAway("gpu-0", "OutOfnvidia.com/gpu", "Pod was rejected: Node didn't have enough resource: nvidia.com/gpu, requested: 8, used: 8, capacity: 8"))
		}},
		{name: "an init container completed at its second attempt", want: "application-error", never: []train.Cause{"init-container-failing"}, build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 1, "Error", "", 1), func(p *corev1.Pod) {
				p.Spec.InitContainers = []corev1.Container{{Name: "fetch"}}
				p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "fetch", RestartCount: 1,
					State:                corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", FinishedAt: before(8)}},
					LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", FinishedAt: before(9)}}}}
			})
		}},
		{name: "an init container fails", want: "init-container-failing", title: "fetch", build: starting(func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Name: "fetch"}}
			p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "fetch", RestartCount: 4,
				State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", FinishedAt: before(1)}}}}
		})},
		{name: "near miss: an init container works", want: "", build: starting(func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Name: "fetch"}}
			p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "fetch", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: before(8)}}}}
		})},
		{name: "no service for the first rank", want: "master-addr-unresolvable", title: "bert-worker-0", build: func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, crashing("gpu-0", 1, "Error", "", 4), func(p *corev1.Pod) {
				p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "MASTER_ADDR", Value: "bert-worker-0"}}
			})
		}},
		{name: "near miss: the whole name of a Service in another namespace", want: "application-error", never: []train.Cause{"master-addr-unresolvable"}, build: func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.object(rule.ServiceKind, "apiVersion: v1\nkind: Service\nmetadata: {name: first, namespace: other}")
			c.worker(1, crashing("gpu-0", 1, "Error", "", 4), func(p *corev1.Pod) {
				p.Spec.Subdomain = "bert"
				p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "MASTER_ADDR", Value: "first.other.svc.cluster.local"}}
			})
		}},
		{name: "near miss: the address can be no host's name", want: "application-error", never: []train.Cause{"master-addr-unresolvable"}, build: func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, crashing("gpu-0", 1, "Error", "", 4), func(p *corev1.Pod) {
				p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "MASTER_ADDR", Value: "S3cr3t_Value!"}}
			})
		}},
	})
}

// An init container that waits for a service of others: what it prints is not
// about the first rank.
func TestInitContainerWaitsForAnotherService(t *testing.T) {
	waiting := func(minutes float64, text string, change ...func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			starting(append(change, func(p *corev1.Pod) {
				p.Spec.InitContainers = []corev1.Container{{Name: "wait", Command: []string{"sh", "-c", "until nslookup redis.data; do sleep 2; done"}}}
				p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "wait", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: before(minutes)}}}}
			})...)(c)
			stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: "uid-bert-worker-0", Container: "wait"}
			hit := train.LogHit{Signature: "nslookup", Cause: "master-addr-unresolvable", Text: text, Line: 1, Time: noon.Add(-time.Minute), Rank: -1}
			c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}},
				store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Time: hit.Time, Text: text}}, Hits: []train.LogHit{hit}})
		}
	}
	const bind, busybox = "** server can't find redis.data.svc.cluster.local: NXDOMAIN", "nslookup: can't resolve 'redis.data.svc.cluster.local'"
	first := func(p *corev1.Pod) {
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "MASTER_ADDR", Value: "redis.data.svc.cluster.local"}}
	}
	never := []train.Cause{"master-addr-unresolvable"}
	runScenarios(t, []scenario{
		{name: "bind", want: "init-container-failing", title: "Init container wait of worker-0 waits for redis.data.svc.cluster.local", says: "get services -n data", never: never, severity: train.SeverityError, build: waiting(8, bind)},
		{name: "busybox", want: "init-container-failing", title: "waits for redis.data.svc.cluster.local,", never: never, build: waiting(8, busybox)},
		{name: "it began just now", want: "init-container-failing", never: never, severity: train.SeverityWarning, build: waiting(1, bind)},
		{name: "near miss: it is the first rank's name", want: "master-addr-unresolvable", build: waiting(8, bind, first)},
	})
}
