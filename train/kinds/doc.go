// Package kinds defines what a training job is on Kubernetes. It converts the
// object at the top of an ownership chain, with everything below it, into a
// train.Job, a pod into a train.Rank, and a Node into a train.Node.
//
// Every function here is pure: no clock, no network. There is one file for
// each kind or family of kinds; kinds.go lists them. A new kind is one new
// file and one line of that list.
//
// Objects of core Kubernetes kinds that clients read a lot arrive typed
// (*corev1.Pod, *corev1.Node, *corev1.Event, ...). Job, queue and pod-group
// kinds, batch/v1 Job among them, arrive as *unstructured.Unstructured, so
// that no operator's Go module and no fixed version is needed. No function may
// change an object it gets.
package kinds
