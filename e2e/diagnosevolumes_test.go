package e2e

import "fmt"

// volumeProvocations keep pods from a node by their claims, which the real
// volume controller and the real scheduler report.
func volumeProvocations() []provocation {
	const usesClaim = `POOL, volumes: [{name: data, persistentVolumeClaim: {claimName: dataset}}],`
	claim := func(class string) string {
		return fmt.Sprintf("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: dataset}, spec: {storageClassName: %q, accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}}", class)
	}
	job := batchJob{pod: usesClaim}.String()
	return []provocation{
		{
			name: "no-claim", nodes: 1, cause: "pvc-not-found", evidence: []string{"not found in namespace diag-no-claim"}, says: []string{"dataset", "diag-no-claim"},
			make: func(p *place) error { return p.apply(job) },
			heal: func(p *place) error { return p.apply(p.volume("diag-no-claim", ""), claim("diag-no-claim")) },
		},
		{
			name: "no-class", nodes: 1, cause: "storageclass-missing", evidence: []string{`storageclass.storage.k8s.io "diag-fast" not found`}, says: []string{"diag-fast"},
			make: func(p *place) error { return p.apply(claim("diag-fast"), job) },
			heal: func(p *place) error {
				return p.apply(storageClass("diag-fast", "kubernetes.io/no-provisioner"), p.volume("diag-fast", ""))
			},
		},
		{
			name: "no-provisioner", nodes: 1, cause: "unbound-pvc", mild: true, evidence: []string{"csi.example.com"}, says: []string{"dataset", "csi.example.com"},
			make: func(p *place) error {
				return p.apply(storageClass("diag-slow", "csi.example.com"), claim("diag-slow"), job)
			},
			heal: func(p *place) error { return p.apply(p.volume("diag-slow", "")) },
		},
		{
			name: "other-zone", nodes: 1, cause: "volume-node-affinity-conflict", evidence: []string{"diag-zoned"}, says: []string{"volume"},
			make: func(p *place) error { return p.apply(p.volume("diag-zoned", "zone-a"), claim("diag-zoned"), job) },
			heal: func(p *place) error {
				return p.patch("v1", "Node", p.node(0), "metadata: {labels: {topology.kubernetes.io/zone: zone-a}}")
			},
		},
	}
}

func storageClass(name, provisioner string) string {
	return fmt.Sprintf("{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: %s}, provisioner: %s}", name, provisioner)
}

// volume is a volume of a class that only the place's claim can bind, in one
// zone or, with "", anywhere.
func (p *place) volume(class, zone string) string {
	affinity := ""
	if zone != "" {
		affinity = "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [" + zone + "]}]}]}},"
	}
	return fmt.Sprintf("{apiVersion: v1, kind: PersistentVolume, metadata: {name: %[1]s}, spec: {storageClassName: %[1]s, capacity: {storage: 2Gi}, accessModes: [ReadWriteMany], %[2]s nfs: {server: nas, path: /data}, claimRef: {namespace: %[3]s, name: dataset}}}",
		class, affinity, p.namespace())
}
