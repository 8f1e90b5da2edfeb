package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/sources/kube"
)

// actor is a connection that acts in the cluster of a kubeconfig.
func actor(t *testing.T, kubeconfig string) *kube.Cluster {
	t.Helper()
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &kubeconfig
	c, err := kube.New(kube.Options{Flags: flags})
	must(t, err)
	return c
}

// runningJob makes a PyTorchJob of one rank and waits until its pod runs.
func runningJob(t *testing.T, namespace, name string, annotations ...string) (operator.Operator, actions.Container) {
	t.Helper()
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob(name, runsAnywhere, annotations...)))
	c := actions.Container{Namespace: namespace, Pod: name + "-worker-0", Name: "pytorch"}
	podRuns(t, c)
	return plays, c
}

func podRuns(t *testing.T, c actions.Container) {
	t.Helper()
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		pod, err := cluster.Clients().CoreV1().Pods(c.Namespace).Get(ctx, c.Pod, metav1.GetOptions{})
		if err == nil && pod.Status.Phase != corev1.PodRunning {
			err = fmt.Errorf("pod %s is %s", c.Pod, pod.Status.Phase)
		}
		return err
	}))
}

// said runs a command and returns what it printed.
func said(ctx context.Context, c actions.Executor, at actions.Container, command ...string) (out, complaints string, err error) {
	var stdout, stderr bytes.Buffer
	err = c.Execute(ctx, actions.Exec{Container: at, Command: command, Stdout: &stdout, Stderr: &stderr})
	return stdout.String(), stderr.String(), err
}

// failed is the failure in an error; the test ends when there is none of the
// kind.
func failed(t *testing.T, err error, kind actions.FailureKind, words ...string) *actions.Failure {
	t.Helper()
	var failure *actions.Failure
	if !errors.As(err, &failure) || failure.Kind != kind {
		t.Fatalf("the error is %T %v, want a failure of kind %q", err, err, kind)
	}
	for _, word := range words {
		if !strings.Contains(failure.Text, word) {
			t.Errorf("it says %q, want %q in it", failure.Text, word)
		}
	}
	if strings.ContainsAny(failure.Text, "\n\x1b") {
		t.Errorf("it is no plain line: %q", failure.Text)
	}
	return failure
}

// Output of both streams, input, and exit codes arrive unchanged.
func TestExecInContainer(t *testing.T) {
	t.Parallel()
	_, at := runningJob(t, "exec-plain", "plain")
	c := actor(t, cluster.Kubeconfig)
	out, complaints, err := said(t.Context(), c, at, "sh", "-c", `echo "$1"; echo oops >&2; exit 3`, "sh", "a 'b' $HOME; *")
	var exit *actions.ExitError
	if out != "a 'b' $HOME; *\n" || complaints != "oops\n" || !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("it printed %q and %q and ended with %v", out, complaints, err)
	}
	var echoed bytes.Buffer
	must(t, c.Execute(t.Context(), actions.Exec{Container: at, Command: []string{"cat"}, Stdin: strings.NewReader("over there"), Stdout: &echoed}))
	if echoed.String() != "over there" {
		t.Errorf("cat printed %q", echoed.String())
	}
	at.Name = "" // the one that kubectl would take
	if out, _, err = said(t.Context(), c, at, "hostname"); err != nil {
		t.Errorf("without a container named: %q, %v", out, err)
	}
}

// A command that cannot run is refused in one line with the reason.
func TestExecRefusedByPod(t *testing.T) {
	t.Parallel()
	plays, at := runningJob(t, "exec-refused", "refuses")
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("pulls", runsAnywhere, "e2e/waiting: ImagePullBackOff", "e2e/message: no such image")))
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("done", runsAnywhere, "e2e/exit: \"137\"", "e2e/reason: OOMKilled")))
	c := actor(t, cluster.Kubeconfig)

	_, _, err := said(t.Context(), c, at, "nosuch")
	failed(t, err, actions.NoProgram, "running nosuch in pod exec-refused/refuses-worker-0, container pytorch", "has no nosuch")
	_, _, err = said(t.Context(), c, at, "/opt/nosuch/bash")
	failed(t, err, actions.NoProgram, "has no /opt/nosuch/bash")

	pulls := at
	pulls.Pod = "pulls-worker-0"
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		_, _, err := said(ctx, c, pulls, "true")
		if err != nil && strings.Contains(err.Error(), "ImagePullBackOff") {
			return nil
		}
		return fmt.Errorf("it says %w", err)
	}))
	_, _, err = said(t.Context(), c, pulls, "true")
	failed(t, err, actions.NotRunning, "has not started", "ImagePullBackOff", "no such image")

	done := at
	done.Pod = "done-worker-0"
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		_, _, err := said(ctx, c, done, "true")
		if err != nil && strings.Contains(err.Error(), "137") {
			return nil
		}
		return fmt.Errorf("it says %w", err)
	}))
	_, _, err = said(t.Context(), c, done, "true")
	failed(t, err, actions.NotRunning, "ended with exit code 137 (OOMKilled)")

	gone, other, wrong := at, at, at
	gone.Pod, other.PodUID, wrong.Name = "never-was", "4d1c9b0e-0000-0000-0000-000000000000", "sidecar"
	_, _, err = said(t.Context(), c, gone, "true")
	failed(t, err, actions.Gone, "does not exist")
	_, _, err = said(t.Context(), c, other, "true")
	failed(t, err, actions.Gone, "another one has its name now")
	_, _, err = said(t.Context(), c, wrong, "true")
	failed(t, err, actions.Invalid, "no such container", "pytorch")
}

// A user who may read pods and not exec into them gets the rule that would
// allow it; the right for SPDY alone is enough.
func TestExecRefusedByRights(t *testing.T) {
	t.Parallel()
	const user1, user2 = "exec-reader", "exec-poster"
	_, at := runningJob(t, "exec-rights", "guarded")
	reader := actor(t, user(t, user1, controlplane.Grant{Namespace: at.Namespace, Rules: []rbacv1.PolicyRule{may("", "pods")}}))
	_, _, err := said(t.Context(), reader, at, "true")
	failed(t, err, actions.Forbidden, "Role", "verb create on pods/exec", "namespace exec-rights", "kubectl auth can-i create pods --subresource=exec")

	poster := actor(t, user(t, user2, controlplane.Grant{Namespace: at.Namespace, Rules: []rbacv1.PolicyRule{
		may("", "pods"), {APIGroups: []string{""}, Resources: []string{"pods/exec"}, Verbs: []string{"create"}},
	}}))
	if out, _, err := said(t.Context(), poster, at, "echo", "hi"); err != nil || out != "hi\n" {
		t.Errorf("with create alone: %q, %v", out, err)
	}
	blind := actor(t, user(t, "exec-blind", controlplane.Grant{Namespace: at.Namespace, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"pods/exec"}, Verbs: []string{"create", "get"}},
	}}))
	_, _, err = said(t.Context(), blind, at, "true")
	failed(t, err, actions.Forbidden, "verb get on pods ")
}
