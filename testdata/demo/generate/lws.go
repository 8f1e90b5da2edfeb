package generate

import (
	"fmt"
	"time"
)

// leaderWorkerSet is a LeaderWorkerSet of one group that serves.
type leaderWorkerSet struct {
	namespace, name, image string
	command                []any
	asks                   map[string]string
	pods                   []placed // the leader first
	age                    time.Duration
}

func (c *cluster) leaderWorkerSet(l leaderWorkerSet) {
	own := owner{"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", l.name, uid("LeaderWorkerSet", l.namespace, l.name)}
	m := meta(l.namespace, l.name, l.age)
	m["uid"] = own.uid
	template := func(name string) object {
		return object{"metadata": object{}, "spec": object{"containers": []any{(&pod{container: name, image: l.image, command: l.command, asks: l.asks}).template()}}}
	}
	c.add(object{
		"apiVersion": own.apiVersion, "kind": own.kind, "metadata": m,
		"spec": object{
			"replicas": int64(1), "startupPolicy": "LeaderCreated", "networkConfig": object{"subdomainPolicy": "Shared"},
			"leaderWorkerTemplate": object{
				"size": int64(len(l.pods)), "restartPolicy": "RecreateGroupOnPodRestart",
				"leaderTemplate": template("leader"), "workerTemplate": template("worker"),
			},
		},
		"status": object{
			"conditions":     []any{condition("Available", "True", "AllGroupsReady", "All replicas are ready", l.age-3*time.Minute), condition("Progressing", "False", "GroupsProgressing", "Replicas are progressing", l.age-3*time.Minute)},
			"replicas":       int64(1),
			"readyReplicas":  int64(1),
			"hpaPodSelector": fmt.Sprintf("leaderworkerset.sigs.k8s.io/name=%s,leaderworkerset.sigs.k8s.io/worker-index=0", l.name), "updatedReplicas": int64(1),
		},
	})
	// The leader belongs to a StatefulSet of leaders; the workers to one that
	// the leader pod owns.
	leader := l.name + "-0"
	for i, at := range l.pods {
		p := pod{
			namespace: l.namespace, name: leader, owner: owner{"apps/v1", "StatefulSet", l.name, uid("StatefulSet", l.name)},
			image: l.image, container: "leader", command: l.command, asks: l.asks, restart: "Always", node: at.node, state: at.state, age: l.age - time.Second,
			labels: map[string]string{
				"leaderworkerset.sigs.k8s.io/name": l.name, "leaderworkerset.sigs.k8s.io/group-index": "0",
				"leaderworkerset.sigs.k8s.io/worker-index": fmt.Sprint(i), "leaderworkerset.sigs.k8s.io/group-key": hash(l.name)[:40],
			},
			annotations: map[string]string{"leaderworkerset.sigs.k8s.io/size": fmt.Sprint(len(l.pods))},
			env:         []any{object{"name": "LWS_LEADER_ADDRESS", "value": fmt.Sprintf("%s.%s.%s", leader, l.name, l.namespace)}, object{"name": "LWS_GROUP_SIZE", "value": fmt.Sprint(len(l.pods))}},
		}
		if i > 0 {
			p.name, p.container, p.owner = fmt.Sprintf("%s-%d", leader, i), "worker", owner{"apps/v1", "StatefulSet", leader, uid("StatefulSet", leader)}
			p.annotations["leaderworkerset.sigs.k8s.io/leader-name"] = leader
		}
		c.pod(p)
	}
}
