// Command barelist lists what traintop lists, as fast as a plain client-go
// program can: every resource at the same time, over one connection, in
// protobuf where there is any, fully decoded, kept in memory. It is the
// baseline for traintop's start; it knows nothing about jobs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/traintop/traintop/train/kinds"
)

func main() {
	kubeconfig := flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "path of the kubeconfig")
	flag.Parse()
	if err := list(context.Background(), *kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, "barelist:", err)
		os.Exit(1)
	}
}

type answer struct {
	resource string
	objects  int
	list     runtime.Object
	err      error
}

func list(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("read the kubeconfig: %w", err)
	}
	config.QPS = -1
	lists, err := everything(ctx, config)
	if err != nil {
		return err
	}
	answers := make(chan answer)
	for resource, ask := range lists {
		go func() {
			list, err := ask()
			answers <- answer{resource: resource, list: list, err: err}
		}()
	}
	var kept []answer
	for range lists {
		a := <-answers
		if a.err != nil {
			return fmt.Errorf("list %s: %w", a.resource, a.err)
		}
		a.objects = meta.LenList(a.list)
		kept = append(kept, a)
	}
	slices.SortFunc(kept, func(a, b answer) int { return b.objects - a.objects })
	for _, a := range kept {
		fmt.Printf("%d %s\n", a.objects, a.resource)
	}
	return nil
}

// everything is one list request for each resource that traintop reads.
func everything(ctx context.Context, config *rest.Config) (map[string]func() (runtime.Object, error), error) {
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make an HTTP client: %w", err)
	}
	binary := rest.CopyConfig(config)
	binary.ContentType = runtime.ContentTypeProtobuf
	typed, err := kubernetes.NewForConfigAndClient(binary, httpClient)
	if err != nil {
		return nil, fmt.Errorf("make a typed client: %w", err)
	}
	secret, err := metadata.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, fmt.Errorf("make a metadata client: %w", err)
	}
	custom, err := dynamic.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, fmt.Errorf("make a dynamic client: %w", err)
	}
	all := metav1.ListOptions{}
	core := typed.CoreV1()
	lists := map[string]func() (runtime.Object, error){
		"pods":                   func() (runtime.Object, error) { return core.Pods("").List(ctx, all) },
		"nodes":                  func() (runtime.Object, error) { return core.Nodes().List(ctx, all) },
		"events":                 func() (runtime.Object, error) { return core.Events("").List(ctx, all) },
		"persistentvolumeclaims": func() (runtime.Object, error) { return core.PersistentVolumeClaims("").List(ctx, all) },
		"persistentvolumes":      func() (runtime.Object, error) { return core.PersistentVolumes().List(ctx, all) },
		"resourcequotas":         func() (runtime.Object, error) { return core.ResourceQuotas("").List(ctx, all) },
		"limitranges":            func() (runtime.Object, error) { return core.LimitRanges("").List(ctx, all) },
		"services":               func() (runtime.Object, error) { return core.Services("").List(ctx, all) },
		"serviceaccounts":        func() (runtime.Object, error) { return core.ServiceAccounts("").List(ctx, all) },
		"namespaces":             func() (runtime.Object, error) { return core.Namespaces().List(ctx, all) },
		"storageclasses":         func() (runtime.Object, error) { return typed.StorageV1().StorageClasses().List(ctx, all) },
	}
	for _, resource := range []string{"secrets", "configmaps"} {
		lists[resource] = func() (runtime.Object, error) {
			return secret.Resource(schema.GroupVersionResource{Version: "v1", Resource: resource}).List(ctx, all)
		}
	}
	_, served, err := typed.Discovery().ServerGroupsAndResources()
	if err != nil {
		return nil, fmt.Errorf("ask which resources are served: %w", err)
	}
	for _, resource := range known(served) {
		lists[resource.GroupResource().String()] = func() (runtime.Object, error) {
			return custom.Resource(resource).List(ctx, all)
		}
	}
	return lists, nil
}

// known selects our job and queue kinds from the served ones, each in our
// preferred version.
func known(served []*metav1.APIResourceList) []schema.GroupVersionResource {
	var resources []schema.GroupVersionResource
	for _, kind := range append(slices.Clone(kinds.Jobs()), kinds.Related()...) {
		for _, version := range kind.Versions {
			gv := schema.GroupVersion{Group: kind.Group, Version: version}
			if slices.ContainsFunc(served, func(list *metav1.APIResourceList) bool {
				return list.GroupVersion == gv.String() && slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool {
					return r.Name == kind.Resource
				})
			}) {
				resources = append(resources, gv.WithResource(kind.Resource))
				break
			}
		}
	}
	return resources
}
