package kube

import (
	"encoding/json"
	"testing"
	"time"
)

// TestLogsHaveNoDeclaredSecrets: what a pod or a job declares as the value of a
// secret's name is in no line, hit or metric of the logs of its namespace, and in
// no message that quotes them.
func TestLogsHaveNoDeclaredSecrets(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		var pod map[string]any
		if err := json.Unmarshal([]byte(`{"metadata":{"name":"v","namespace":"ml","uid":"v"},
			"spec":{"containers":[{"name":"c","env":[{"name":"DB_PASSWORD","value":"correct-horse-battery"},{"name":"RUN","value":"llama-3-run-7"}]}]},
			"status":{"containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":1,"message":"no login with correct-horse-battery"}}}]}}`), &pod); err != nil {
			t.Fatal(err)
		}
		s.put("/api/v1/namespaces/ml/pods/v", pod)
		k.print(time.Now(), "RUN llama-3-run-7\n", "connecting as trainer with correct-horse-battery\n", "RuntimeError: CUDA error: correct-horse-battery\n")
		c, p := streaming(t, s, planned())
		pass(5 * time.Second)
		c.Stream(planned(whole(first)))
		pass(5 * time.Second)
		wantLog(t, p, first, "RUN llama-3-run-7", "connecting as trainer with <redacted:password>", "RuntimeError: CUDA error: <redacted:password>")
	})
}
