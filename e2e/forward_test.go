package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/sources/kube"
)

// acting is a cluster to act in, which is not read.
func acting(t *testing.T, kubeconfig string) *kube.Cluster {
	t.Helper()
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &kubeconfig
	made, err := kube.New(kube.Options{Flags: flags})
	must(t, err)
	return made
}

// failure is the failure that an error must be.
func failure(t *testing.T, err error) *actions.Failure {
	t.Helper()
	var failed *actions.Failure
	if !errors.As(err, &failed) {
		t.Fatalf("the error is %v, want a failure", err)
	}
	return failed
}

// podWithServer makes a running pod whose port 6006 has an HTTP server behind
// it, and returns its UID.
func podWithServer(t *testing.T, namespace, job string, handler http.Handler) (uid string) {
	t.Helper()
	namespaces(t, namespace)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob(job, runsAnywhere, "e2e/port-6006: "+strconv.Quote(server.Listener.Addr().String()))))
	return running(t, namespace, job+"-worker-0")
}

// running waits until a pod runs.
func running(t *testing.T, namespace, pod string) (uid string) {
	t.Helper()
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		found, err := cluster.Clients().CoreV1().Pods(namespace).Get(ctx, pod, metav1.GetOptions{})
		if err == nil && found.Status.Phase != "Running" {
			err = fmt.Errorf("%s is %s on %q: %v", pod, found.Status.Phase, found.Spec.NodeName, found.Status.Conditions)
		}
		if err == nil {
			uid = string(found.UID)
		}
		return err
	}))
	return uid
}

// board answers as TensorBoard does, with the request.
var board = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "TensorBoard %s %d", r.URL.Path, len(body))
})

func get(t *testing.T, host string, port int, path string) (string, error) {
	t.Helper()
	// One connection each: an old one that was kept would hide an interruption.
	client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + net.JoinHostPort(host, strconv.Itoa(port)) + path)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return string(body), err
}

func forward(t *testing.T, from *kube.Cluster, f actions.Forward) actions.Forwarding {
	t.Helper()
	made, err := from.Forward(t.Context(), f)
	must(t, err)
	t.Cleanup(made.Close)
	return made
}

// becomes waits for a state of a forwarded port.
func becomes(t *testing.T, f actions.Forwarding, atMost time.Duration, what string, is func(actions.ForwardState) bool) {
	t.Helper()
	late := time.After(atMost)
	for !is(f.State()) {
		select {
		case <-f.Changed():
		case <-late:
			t.Fatalf("after %s it is not %s: %+v", atMost, what, f.State())
		}
	}
}

func TestAPortIsForwarded(t *testing.T) {
	t.Parallel()
	const namespace, pod = "forward", "board-worker-0"
	uid := podWithServer(t, namespace, "board", board)
	forwarded := forward(t, acting(t, cluster.Kubeconfig), actions.Forward{Namespace: namespace, Pod: pod, Remote: 6006})
	state := forwarded.State()
	if state.PodUID != uid || state.Local == 0 || state.Trouble != "" || state.Ended || state.Since.IsZero() {
		t.Errorf("the state is %+v", state)
	}
	for _, host := range []string{"127.0.0.1", "::1"} {
		body, err := get(t, host, state.Local, "/data")
		if err != nil && host == "::1" && !hasIPv6() {
			continue
		}
		if err != nil || body != "TensorBoard /data 0" {
			t.Errorf("%s answers %q, %v", host, body, err)
		}
	}
	becomes(t, forwarded, 5*time.Second, "idle", func(s actions.ForwardState) bool { return s.Open == 0 && s.Served >= 1 && s.Bytes > 0 })

	// A second forward uses another port here; a requested port that is in use
	// is refused.
	other := forward(t, acting(t, cluster.Kubeconfig), actions.Forward{Namespace: namespace, Pod: pod, Remote: 6006})
	if body, err := get(t, "127.0.0.1", other.State().Local, "/"); err != nil || other.State().Local == state.Local {
		t.Errorf("the second forward is at %d beside %d: %q, %v", other.State().Local, state.Local, body, err)
	}
	_, err := acting(t, cluster.Kubeconfig).Forward(t.Context(), actions.Forward{Namespace: namespace, Pod: pod, Remote: 6006, Local: state.Local})
	if failed := failure(t, err); failed.Kind != actions.Conflict || !strings.Contains(failed.Text, fmt.Sprintf("port %d of this machine is taken", state.Local)) {
		t.Errorf("a taken port: %s: %s", failed.Kind, failed.Text)
	}

	forwarded.Close()
	if body, err := get(t, "127.0.0.1", state.Local, "/"); err == nil {
		t.Errorf("closed, it still answers %q", body)
	}
}

func hasIPv6() bool {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err == nil {
		_ = listener.Close()
	}
	return err == nil
}

// Nothing listens on a port: a connection ends at once, the reason is reported,
// and other connections are not affected.
func TestAForwardedPortWhereNothingListens(t *testing.T) {
	t.Parallel()
	podWithServer(t, "forward-refused", "board", board)
	forwarded := forward(t, acting(t, cluster.Kubeconfig), actions.Forward{Namespace: "forward-refused", Pod: "board-worker-0", Remote: 8265})
	if body, err := get(t, "127.0.0.1", forwarded.State().Local, "/"); err == nil {
		t.Errorf("it answers %q", body)
	}
	becomes(t, forwarded, 10*time.Second, "in trouble", func(s actions.ForwardState) bool {
		return strings.Contains(s.Trouble, "nothing listens on port 8265") && !s.Ended
	})
}

// Many connections at once, each with more than fits into any buffer.
func TestAForwardedPortCarriesManyConnections(t *testing.T) {
	t.Parallel()
	podWithServer(t, "forward-many", "board", board)
	forwarded := forward(t, acting(t, cluster.Kubeconfig), actions.Forward{Namespace: "forward-many", Pod: "board-worker-0", Remote: 6006})
	const connections, size = 16, 4 << 20
	answers := make(chan string, connections)
	for range connections {
		go func() {
			at := "http://127.0.0.1:" + strconv.Itoa(forwarded.State().Local) + "/upload"
			answer, err := http.Post(at, "application/octet-stream", io.LimitReader(zeros{}, size))
			if err != nil {
				answers <- err.Error()
				return
			}
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			answers <- fmt.Sprint(string(body), err)
		}()
	}
	for range connections {
		if got, want := <-answers, fmt.Sprintf("TensorBoard /upload %d<nil>", size); got != want {
			t.Errorf("the answer is %q, want %q", got, want)
		}
	}
	if state := forwarded.State(); state.Bytes < connections*size {
		t.Errorf("it tells %d bytes, of at least %d", state.Bytes, connections*size)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// The path to the API server is cut and mended: the forward recovers by itself,
// and a connection made meanwhile waits.
func TestAForwardedPortHealsAfterACut(t *testing.T) {
	t.Parallel()
	podWithServer(t, "forward-cut", "board", board)
	wire, kubeconfig := newWire(t)
	forwarded := forward(t, acting(t, kubeconfig), actions.Forward{Namespace: "forward-cut", Pod: "board-worker-0", Remote: 6006})
	local := forwarded.State().Local
	_, err := get(t, "127.0.0.1", local, "/")
	must(t, err)
	wire.cut()
	becomes(t, forwarded, 10*time.Second, "in trouble", func(s actions.ForwardState) bool { return s.Trouble != "" && !s.Ended })
	answers := make(chan string, 1)
	go func() {
		body, err := get(t, "127.0.0.1", local, "/waits")
		answers <- fmt.Sprint(body, err)
	}()
	wire.mend()
	if got := <-answers; got != "TensorBoard /waits 0<nil>" {
		t.Errorf("a connection made during the cut got %q", got)
	}
	becomes(t, forwarded, 20*time.Second, "well", func(s actions.ForwardState) bool { return s.Trouble == "" })
	if forwarded.State().Local != local {
		t.Errorf("it moved from port %d to %d", local, forwarded.State().Local)
	}
}

// A pod that is deleted, and one that is made under its name: the forward ends.
func TestAForwardedPortEndsWithItsPod(t *testing.T) {
	t.Parallel()
	const namespace, pod = "forward-gone", "board-worker-0"
	podWithServer(t, namespace, "board", board)
	forwarded := forward(t, acting(t, cluster.Kubeconfig), actions.Forward{Namespace: namespace, Pod: pod, Remote: 6006})
	old := forwarded.State()
	must(t, cluster.Clients().CoreV1().Pods(namespace).Delete(t.Context(), pod, metav1.DeleteOptions{}))
	becomes(t, forwarded, 30*time.Second, "ended", func(s actions.ForwardState) bool {
		return s.Ended && strings.Contains(s.Trouble, "forwarding port 6006 of pod forward-gone/board-worker-0: it is gone")
	})
	if _, err := get(t, "127.0.0.1", old.Local, "/"); err == nil {
		t.Error("a port that was given up still answers")
	}
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("board", runsAnywhere)))
	running(t, namespace, pod)
	_, err := acting(t, cluster.Kubeconfig).Forward(t.Context(), old.Forward)
	if failed := failure(t, err); failed.Kind != actions.Gone || !strings.Contains(failed.Text, "another one has its name now") {
		t.Errorf("forwarding to another pod of the name: %s: %s", failed.Kind, failed.Text)
	}
}

func TestPortsThatCannotBeForwardedSayWhy(t *testing.T) {
	t.Parallel()
	const namespace = "forward-not"
	podWithServer(t, namespace, "board", board)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("waits", runsAnywhere, "e2e/waiting: ImagePullBackOff")))
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("ended", runsAnywhere, `e2e/exit: "0"`)))
	must(t, cluster.Wait(t.Context(), 30*time.Second, func(ctx context.Context) error {
		for _, of := range []struct{ pod, reason string }{{"waits-worker-0", "ImagePullBackOff"}, {"ended-worker-0", "Completed"}} {
			pod, err := cluster.Clients().CoreV1().Pods(namespace).Get(ctx, of.pod, metav1.GetOptions{})
			if err != nil {
				return err
			}
			if !strings.Contains(fmt.Sprint(pod.Status.ContainerStatuses), of.reason) {
				return fmt.Errorf("%s is not %s yet", of.pod, of.reason)
			}
		}
		return nil
	}))
	reader := user(t, "port-reader", controlplane.Grant{Namespace: namespace, Rules: []rbacv1.PolicyRule{may("", "pods")}})
	for _, one := range []struct {
		name, kubeconfig, pod string
		remote                int
		kind                  actions.FailureKind
		want                  string
	}{
		{"no right", reader, "board-worker-0", 6006, actions.Forbidden, "it needs a Role with verb create on pods/portforward in namespace forward-not"},
		{"waits", cluster.Kubeconfig, "waits-worker-0", 6006, actions.NotRunning, "the pod does not run yet (Pending: container pytorch waits: ImagePullBackOff)"},
		{"over", cluster.Kubeconfig, "ended-worker-0", 6006, actions.NotRunning, "the pod has ended (Succeeded)"},
		{"no pod", cluster.Kubeconfig, "none", 6006, actions.Gone, "it is gone already"},
		{"no port", cluster.Kubeconfig, "board-worker-0", 70000, actions.Invalid, "70000 is no port"},
	} {
		_, err := acting(t, one.kubeconfig).Forward(t.Context(), actions.Forward{Namespace: namespace, Pod: one.pod, Remote: one.remote})
		if failed := failure(t, err); failed.Kind != one.kind || !strings.Contains(failed.Text, one.want) {
			t.Errorf("%s: %s: %s; want %s: %s", one.name, failed.Kind, failed.Text, one.kind, one.want)
		}
	}
}
