// Package kubelet plays the part of kubelets that streams: commands run in
// containers, attached terminals, forwarded ports. It answers with the code
// that container runtimes use for it (k8s.io/cri-streaming), so that exit
// codes, terminal sizes and errors travel as they do in a real cluster. All
// else, logs above all, it hands to kwok behind it: kwok v0.8.0 streams too,
// but gives no exit code back and no terminal that takes ctrl-c.
//
// A command in a container is a process of this machine, in a folder of its
// pod (Sandbox). Annotations of the pod say what is special about it:
//
//	e2e/programs: sh cat       only these programs are in its containers; "none" for none at all
//	e2e/port-6006: HOST:PORT   what listens at its port 6006; other ports refuse
package kubelet
