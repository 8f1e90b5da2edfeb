// Command bareexec does what `kubectl exec -it POD -- SHELL` does up to the
// prompt, with client-go and nothing else: it reads the kubeconfig and the pod,
// and runs a shell in a terminal. It prints when the first byte of the prompt
// came, in nanoseconds since 1970.
//
//	bareexec KUBECONFIG NAMESPACE POD CONTAINER SHELL
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/remotecommand"
)

func main() {
	prompt, err := untilPrompt(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5])
	if err != nil {
		fmt.Fprintln(os.Stderr, "bareexec:", err)
		os.Exit(1)
	}
	fmt.Println(prompt.UnixNano())
}

func untilPrompt(kubeconfig, namespace, pod, container, shell string) (time.Time, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return time.Time{}, err
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return time.Time{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := clients.CoreV1().Pods(namespace).Get(ctx, pod, metav1.GetOptions{}); err != nil {
		return time.Time{}, err
	}
	request := clients.CoreV1().RESTClient().Get().Namespace(namespace).Resource("pods").Name(pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{Container: container, Command: []string{shell}, Stdin: true, Stdout: true, TTY: true}, scheme.ParameterCodec)
	executor, err := remotecommand.NewWebSocketExecutor(config, http.MethodGet, request.URL().String())
	if err != nil {
		return time.Time{}, err
	}
	stdin, typed := io.Pipe()
	out := &firstByte{seen: func() { _, _ = io.WriteString(typed, "exit\n") }}
	err = executor.StreamWithContext(ctx, remotecommand.StreamOptions{Stdin: stdin, Stdout: out, Tty: true})
	return out.at, err
}

// firstByte records when something was printed first.
type firstByte struct {
	once sync.Once
	at   time.Time
	seen func()
}

func (f *firstByte) Write(p []byte) (int, error) {
	f.once.Do(func() { f.at = time.Now(); go f.seen() })
	return len(p), nil
}
