package kube

import (
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/kinds"

	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/train"
)

// life is where one life of a container stands, as the API server has it.
//
// The log API does not name lives: it answers for the container that runs, or
// for the one that ran last, or with previous=true for the one before (kubelet
// 1.36, validateContainerLogStatus). So each time that a stream goes on it
// is looked up first which of these the stream's life is by now.
type life struct {
	stage  lifeStage
	node   string
	reason string // why it waits, or is out of reach
	// ended is when it ended, where that is told.
	ended time.Time
}

type lifeStage uint8

const (
	lifeUnknown   lifeStage = iota // the pod may not be read; the log perhaps may
	lifeWaiting                    // has not begun
	lifeRunning                    // runs
	lifeEnded                      // ended, and no other began: its log is the container's
	lifePrevious                   // ended, and another began: its log is the previous one
	lifeForgotten                  // ended, and the kubelet does not have its log any more
	lifeGone                       // its pod is gone
)

// lookUp asks the API server for the pod. An error is one of the connection
// or of the server, not an answer about the pod.
func lookUp(ctx context.Context, c *client.Connection, id train.StreamID) (life, error) {
	var pod corev1.Pod
	err := c.Ask(ctx, func(ctx context.Context) error {
		return c.Core.Get().AbsPath("/api/v1/namespaces", id.Namespace, "pods", id.Pod).Do(ctx).Into(&pod)
	})
	switch {
	case apierrors.IsForbidden(err):
		return life{stage: lifeUnknown}, nil
	case apierrors.IsNotFound(err):
		return life{stage: lifeGone, reason: "the pod does not exist any more"}, nil
	case err != nil:
		return life{}, err
	case id.UID != "" && string(pod.UID) != id.UID:
		return life{stage: lifeGone, reason: "another pod has taken its name"}, nil
	}
	return lifeIn(&pod, id), nil
}

func lifeIn(pod *corev1.Pod, id train.StreamID) life {
	found := life{node: pod.Spec.NodeName, stage: lifeWaiting, reason: "the container has not started yet"}
	status := kinds.ContainerStatus(pod, id.Container)
	if status == nil {
		return found
	}
	between := status.State.Waiting != nil && status.LastTerminationState.Terminated != nil
	switch later := int(status.RestartCount) - id.Restart; {
	case later < 0:
		found.reason = "the API server does not know of this life yet"
	case later == 0 && status.State.Running != nil:
		found.stage = lifeRunning
	case later == 0 && (status.State.Terminated != nil || between):
		found.stage = lifeEnded
	case later == 0 && status.State.Waiting != nil:
		found.reason = client.JoinReason(status.State.Waiting.Reason, status.State.Waiting.Message)
	case later == 1 && !between:
		found.stage = lifePrevious
		if last := status.LastTerminationState.Terminated; last != nil {
			found.ended = last.FinishedAt.Time
		}
	case later > 0:
		found.stage = lifeForgotten
		found.reason = fmt.Sprintf("the kubelet keeps the last two logs of a container, and this one has been restarted %d times", status.RestartCount)
	}
	return found
}

// lookup is a look-up of a life that runs while something else is asked for.
type lookup struct {
	done  chan struct{}
	found life
	err   error
}

func beginLookUp(ctx context.Context, c *client.Connection, id train.StreamID) *lookup {
	l := &lookup{done: make(chan struct{})}
	go func() {
		defer close(l.done)
		l.found, l.err = lookUp(ctx, c, id)
	}()
	return l
}

func (l *lookup) wait() (life, error) {
	<-l.done
	return l.found, l.err
}

// newest reports whether a request without previous=true answers for this life.
func (l life) newest() bool {
	return l.stage == lifeRunning || l.stage == lifeEnded || l.stage == lifeUnknown
}

// stands returns where the life stands. A command that waits for the answer
// has the log asked for meanwhile as that of the container's newest life, which
// it mostly is: one after the other takes twice as long on a slow server.
func (s *logStream) stands(ctx context.Context, believed bool) (life, error) {
	known := s.known
	s.known, s.beside = nil, nil
	switch {
	case known != nil:
		return *known, nil
	case believed:
		return life{stage: lifeRunning}, nil
	case s.run.once && !s.previous:
		s.beside = beginLookUp(ctx, s.run.connection, s.id)
		return life{stage: lifeRunning}, nil
	}
	now, err := lookUp(ctx, s.run.connection, s.id)
	if err == nil {
		s.node = now.node
	}
	return now, err
}

// confirm waits for the look-up beside a request for a log, if there is one.
// It returns errNewLook where the request was for another life.
func (s *logStream) confirm() error {
	if s.beside == nil {
		return nil
	}
	now, err := s.beside.wait()
	if err != nil {
		return err
	}
	s.node = now.node
	if !now.newest() {
		s.known = &now
		return errNewLook
	}
	return nil
}

// confirmed is where the life stands by the look-up beside the request.
func (s *logStream) confirmed(now life) life {
	if s.beside == nil || s.beside.err != nil {
		return now
	}
	return s.beside.found
}
