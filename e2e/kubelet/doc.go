// Package kubelet plays the streaming part of kubelets: commands run in
// containers, attached terminals, forwarded ports. It answers with the code
// of container runtimes (k8s.io/cri-streaming), so that exit codes, terminal
// sizes and errors are those of a real cluster. It passes all other requests,
// logs above all, to kwok behind it: kwok v0.8.0 streams too, but returns no
// exit code and has no terminal that handles ctrl-c.
//
// A command in a container is a process of this machine, in a folder of its
// pod (Sandbox). Annotations of the pod configure it:
//
//	e2e/programs: sh cat       only these programs are in its containers; "none" for none at all
//	e2e/port-6006: HOST:PORT   what listens at its port 6006; other ports refuse
package kubelet
