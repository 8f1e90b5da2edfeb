package e2e

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
)

const watcher = "traintop-watch"

// The server accepts deploy/watch.yaml as it is; its service account reads all
// that a watcher needs, and can do nothing else but hold its Lease.
func TestWatcherRunsWithTheRightsOfItsFile(t *testing.T) {
	t.Parallel()
	const of = "watched-by-deployment"
	namespaces(t, of)
	plays := operator.Operator{Cluster: cluster, Namespace: of}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("watched-in-cluster", runsAnywhere)))
	log := newContainerLog(t, "watched-in-cluster")
	serveLogs(t, plays, "watched-in-cluster-worker-0", log, nil)
	log.print("step: 3/2000 loss: 9.5 lr: 0.001")
	objects := applyWatcher(t)
	kubeconfig := serviceAccountKubeconfig(t, "traintop", watcher)

	t.Run("lease", func(t *testing.T) { watcherHoldsItsLease(t, kubeconfig) })
	t.Run("metrics", func(t *testing.T) { watcherServes(t, kubeconfig, of, objects) })
	t.Run("rights", func(t *testing.T) { watcherMayOnlyRead(t) })
	t.Run("secrets", func(t *testing.T) { receiversSurvive(t, objects) })
	t.Run("pod", func(t *testing.T) { watcherPodIsAdmitted(t, objects) })
}

// applyWatcher applies the file; the Deployment and its claim only in a dry run,
// since nothing could run them.
func applyWatcher(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	objects := deployed(t, "watch.yaml")
	for _, object := range objects {
		options := metav1.ApplyOptions{FieldManager: "kubectl", Force: true}
		if kind := object.GetKind(); kind == "Deployment" || kind == "PersistentVolumeClaim" {
			options.DryRun = []string{metav1.DryRunAll}
		}
		resource, err := cluster.Resource(object)
		must(t, err)
		if _, err := resource.Apply(t.Context(), object.GetName(), object, options); err != nil {
			t.Errorf("deploy/watch.yaml: %s %s: %v", object.GetKind(), object.GetName(), err)
		}
	}
	return objects
}

// deployed are the objects of a file of deploy/.
func deployed(t *testing.T, name string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "deploy", name))
	must(t, err)
	objects, err := controlplane.Objects(string(text))
	must(t, err)
	return objects
}

// objectOf is the object of a kind, in its own type.
func objectOf[T any](t *testing.T, objects []*unstructured.Unstructured, kind string) *T {
	t.Helper()
	into := new(T)
	for _, object := range objects {
		if object.GetKind() == kind {
			must(t, runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, into, true))
			return into
		}
	}
	t.Fatalf("there is no %s", kind)
	return nil
}

// watcherServes runs what the Deployment runs, with these rights alone: it is
// ready, serves jobs and what their logs report, holds its Lease, and is refused
// nothing but what the file leaves out on purpose.
func watcherServes(t *testing.T, kubeconfig, namespace string, objects []*unstructured.Unstructured) {
	address, home := freeAddress(t), t.TempDir()
	must(t, os.MkdirAll(filepath.Join(home, "traintop"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), []byte(objectOf[corev1.ConfigMap](t, objects, "ConfigMap").Data["config.yaml"]), 0o600))
	args := slices.Clone(objectOf[appsv1.Deployment](t, objects, "Deployment").Spec.Template.Spec.Containers[0].Args)
	args[slices.Index(args, ":9464")] = address
	w := &watching{command: exec.CommandContext(t.Context(), programs.traintop, append(args, "--kubeconfig="+kubeconfig)...)}
	w.command.Env, w.command.Stdout, w.command.Stderr = environmentIn(home), w, w
	must(t, w.command.Start())
	t.Cleanup(w.kill)
	until := func(path, want string) (page string) {
		t.Helper()
		if err := cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) (err error) {
			if page, err = getText(ctx, "http://"+address+path); err == nil && !strings.Contains(page, want) {
				err = fmt.Errorf("%s has no %s", path, want)
			}
			return err
		}); err != nil {
			t.Fatalf("%v\n%s", err, w.text())
		}
		return page
	}
	until("/healthz", "alive\n")
	until("/readyz", "ready\n")
	page := until("/metrics", fmt.Sprintf("traintop_job_step{job_name=%q,kind=%q,namespace=%q} 3\n", "watched-in-cluster", "PyTorchJob", namespace))
	for line := range strings.Lines(page) {
		onPurpose := strings.Contains(line, `"kube/secrets"`) || strings.Contains(line, `"exporters"`) || strings.Contains(line, `"prometheus"`)
		if strings.HasPrefix(line, "traintop_sources{") && strings.Contains(line, "forbidden") && !onPurpose {
			t.Errorf("the watcher is refused what it needs: %s\n%s", line, w.text())
		}
	}
	w.says(t, time.Minute, "this watcher holds the Lease traintop/"+watcher)
	lease, err := cluster.Clients().CoordinationV1().Leases("traintop").Get(t.Context(), watcher, metav1.GetOptions{})
	must(t, err)
	if lease.Spec.HolderIdentity == nil || *lease.Spec.HolderIdentity == "" {
		t.Errorf("nobody holds the Lease: %+v", lease.Spec)
	}
	must(t, w.command.Process.Signal(syscall.SIGTERM))
	if err := w.command.Wait(); err != nil {
		t.Errorf("it ends with %v\n%s", err, w.text())
	}
}

// freeAddress is a port of loopback at which nobody listens now.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// watcherMayOnlyRead asks the server about each verb on each resource that it
// serves.
func watcherMayOnlyRead(t *testing.T) {
	lists, err := cluster.Clients().Discovery().ServerPreferredResources()
	if err != nil && len(lists) == 0 {
		t.Fatal(err)
	}
	asked, allowed := 0, []string{}
	for _, list := range lists {
		group, _, found := strings.Cut(list.GroupVersion, "/")
		if !found {
			group = ""
		}
		for _, resource := range list.APIResources {
			if group == "authorization.k8s.io" || group == "authentication.k8s.io" {
				continue // questions about oneself, which everybody may ask
			}
			for _, verb := range []string{"create", "update", "patch", "delete", "deletecollection", "get", "list", "watch"} {
				for _, namespace := range []string{"traintop", "kube-system"} {
					asked++
					if watcherMay(t, verb, group, resource.Name, namespace, "") {
						allowed = append(allowed, strings.Join([]string{verb, group, resource.Name, namespace}, " "))
					}
				}
			}
		}
	}
	if asked < 500 {
		t.Errorf("only %d questions were asked", asked)
	}
	reads := []string{"get", "list", "watch"}
	for _, one := range allowed {
		verb, rest, _ := strings.Cut(one, " ")
		switch {
		case strings.Contains(rest, "secrets"):
			t.Errorf("the watcher may %s", one)
		case !slices.Contains(reads, verb) && one != "create coordination.k8s.io leases traintop":
			t.Errorf("the watcher may %s", one)
		}
	}
	for _, verb := range []string{"get", "update"} {
		if !watcherMay(t, verb, "coordination.k8s.io", "leases", "traintop", watcher) || watcherMay(t, verb, "coordination.k8s.io", "leases", "traintop", "other") || watcherMay(t, verb, "coordination.k8s.io", "leases", "kube-system", watcher) {
			t.Errorf("it is wrong which leases the watcher may %s", verb)
		}
	}
	for _, subresource := range []string{"exec", "attach", "portforward", "proxy", "eviction", "ephemeralcontainers", "status"} {
		for _, verb := range []string{"create", "get", "update", "patch"} {
			if watcherMay(t, verb, "", "pods/"+subresource, "traintop", "") {
				t.Errorf("the watcher may %s pods/%s", verb, subresource)
			}
		}
	}
	if !watcherMay(t, "get", "", "pods/log", "traintop", "") {
		t.Error("the watcher may not read logs")
	}
}

func watcherMay(t *testing.T, verb, group, resource, namespace, name string) bool {
	t.Helper()
	resource, subresource, _ := strings.Cut(resource, "/")
	answer, err := cluster.Clients().AuthorizationV1().SubjectAccessReviews().Create(t.Context(), &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: "system:serviceaccount:traintop:" + watcher, Groups: []string{"system:serviceaccounts", "system:serviceaccounts:traintop", "system:authenticated"},
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Group: group, Resource: resource, Subresource: subresource, Namespace: namespace, Name: name},
	}}, metav1.CreateOptions{})
	must(t, err)
	return answer.Status.Allowed
}

// watcherHoldsItsLease makes and renews the Lease as two watchers do, and is
// refused another.
func watcherHoldsItsLease(t *testing.T, kubeconfig string) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	must(t, err)
	clients, err := kubernetes.NewForConfig(config)
	must(t, err)
	leases, first, second := clients.CoordinationV1().Leases("traintop"), "traintop-watch-0", "traintop-watch-1"
	lease, err := leases.Create(t.Context(), &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: watcher}, Spec: coordinationv1.LeaseSpec{HolderIdentity: &first}}, metav1.CreateOptions{})
	must(t, err)
	lease.Spec.HolderIdentity = &second
	_, err = leases.Update(t.Context(), lease, metav1.UpdateOptions{})
	must(t, err)
	lease, err = leases.Get(t.Context(), watcher, metav1.GetOptions{})
	must(t, err)
	if *lease.Spec.HolderIdentity != second {
		t.Errorf("the lease is held by %s", *lease.Spec.HolderIdentity)
	}
	if err := leases.Delete(t.Context(), watcher, metav1.DeleteOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("deleting the lease is answered %v", err)
	}
	must(t, cluster.Clients().CoordinationV1().Leases("traintop").Delete(t.Context(), watcher, metav1.DeleteOptions{}))
	if _, err := clients.CoreV1().Secrets("traintop").Get(t.Context(), "traintop-receivers", metav1.GetOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("reading the Secret is answered %v", err)
	}
}

// receiversSurvive fills in a receiver and applies the file again.
func receiversSurvive(t *testing.T, objects []*unstructured.Unstructured) {
	secrets := cluster.Clients().CoreV1().Secrets("traintop")
	patch := []byte(`{"stringData":{"slack-url":"https://hooks.slack.invalid/services/x"}}`)
	_, err := secrets.Patch(t.Context(), "traintop-receivers", "application/merge-patch+json", patch, metav1.PatchOptions{FieldManager: "kubectl-patch"})
	must(t, err)
	for _, object := range objects {
		if object.GetKind() != "Secret" {
			continue
		}
		resource, err := cluster.Resource(object)
		must(t, err)
		_, err = resource.Apply(t.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: "kubectl", Force: true})
		must(t, err)
	}
	secret, err := secrets.Get(t.Context(), "traintop-receivers", metav1.GetOptions{})
	must(t, err)
	if len(secret.Data["slack-url"]) == 0 {
		t.Error("applying the file again takes the receiver away")
	}
}

// watcherPodIsAdmitted makes the pod of the Deployment in a dry run: the
// namespace enforces the strictest level of pod security. Two replicas with a
// state each are accepted too.
func watcherPodIsAdmitted(t *testing.T, objects []*unstructured.Unstructured) {
	deployment := objectOf[appsv1.Deployment](t, objects, "Deployment")
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}
	pods := cluster.Clients().CoreV1().Pods("traintop")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: watcher + "-0", Labels: deployment.Spec.Template.Labels}, Spec: deployment.Spec.Template.Spec}
	_, err := pods.Create(t.Context(), pod, dry)
	must(t, err)
	loose := pod.DeepCopy()
	loose.Spec.Containers[0].SecurityContext.Capabilities = nil
	if _, err := pods.Create(t.Context(), loose, dry); !apierrors.IsForbidden(err) {
		t.Errorf("a pod that keeps its capabilities is answered %v", err)
	}
	container := &pod.Spec.Containers[0]
	if !*container.SecurityContext.ReadOnlyRootFilesystem || !*pod.Spec.SecurityContext.RunAsNonRoot {
		t.Error("the root file system can be written, or root may run it")
	}
	if container.Args[0] != "watch" || container.LivenessProbe.HTTPGet.Path != "/healthz" || container.ReadinessProbe.HTTPGet.Path != "/readyz" {
		t.Errorf("it runs %v", container.Args)
	}
	service := objectOf[corev1.Service](t, objects, "Service")
	if port := container.Ports[0]; port.ContainerPort != 9464 || port.Name != service.Spec.Ports[0].TargetPort.StrVal || service.Spec.Selector["app"] != pod.Labels["app"] {
		t.Errorf("the Service leads to %v, and the pod has %v", service.Spec.Ports, container.Ports)
	}

	two, replicas := deployment.DeepCopy(), int32(2)
	two.Name, two.Spec.Replicas, two.Spec.Strategy = two.Name+"-two", &replicas, appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType}
	for i := range two.Spec.Template.Spec.Volumes {
		if v := &two.Spec.Template.Spec.Volumes[i]; v.Name == "state" {
			v.VolumeSource = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
		}
	}
	_, err = cluster.Clients().AppsV1().Deployments("traintop").Create(t.Context(), two, dry)
	must(t, err)

	// The ServiceMonitor leads to the same Service.
	monitor := deployed(t, "watch-servicemonitor.yaml")[0]
	selector, _, _ := unstructured.NestedStringMap(monitor.Object, "spec", "selector", "matchLabels")
	endpoints, _, _ := unstructured.NestedSlice(monitor.Object, "spec", "endpoints")
	endpoint, _ := endpoints[0].(map[string]any)
	if selector["app"] != service.Labels["app"] || endpoint["port"] != service.Spec.Ports[0].Name || endpoint["honorLabels"] != true {
		t.Errorf("the ServiceMonitor selects %v, and of it %v", selector, endpoint)
	}
}

// The watcher reads what deploy/rbac.yaml lets people read, without
// single objects.
func TestWatcherReadsWhatPeopleRead(t *testing.T) {
	t.Parallel()
	people, watch := map[string][]string{}, map[string][]string{}
	rights := func(role *rbacv1.ClusterRole, into map[string][]string) {
		for _, rule := range role.Rules {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					into[resource+"."+group] = append(into[resource+"."+group], rule.Verbs...)
				}
			}
		}
	}
	rights(objectOf[rbacv1.ClusterRole](t, deployed(t, "rbac.yaml"), "ClusterRole"), people)
	rights(objectOf[rbacv1.ClusterRole](t, deployed(t, "watch.yaml"), "ClusterRole"), watch)
	for resource, verbs := range watch {
		for _, verb := range verbs {
			if !slices.Contains(people[resource], verb) {
				t.Errorf("the watcher may %s %s, and people may not", verb, resource)
			}
		}
	}
	for resource, verbs := range people {
		for _, verb := range verbs {
			if verb != "get" && !slices.Contains(watch[resource], verb) {
				t.Errorf("people may %s %s, and the watcher may not", verb, resource)
			}
		}
	}
}
