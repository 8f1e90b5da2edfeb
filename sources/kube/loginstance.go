package kube

import (
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/kinds"

	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/train"
)

// instanceState is the state of one container instance according to the API server.
//
// The log API does not identify instances: it answers for the running one, or
// for the last one that ran, or with previous=true for the one before (kubelet
// 1.36, validateContainerLogStatus). So before each request a stream looks up
// which of these its instance is now.
type instanceState struct {
	stage  instanceStage
	node   string
	reason string // why it waits, or its log is unreachable
	// started is when it started, if it runs; ended when it ended, if the status has
	// it.
	started, ended time.Time
}

type instanceStage uint8

const (
	lifeUnknown   instanceStage = iota // the pod may not be read; its log perhaps may
	lifeWaiting                        // has not started
	lifeRunning                        // is running
	lifeEnded                          // ended, no later instance: a request returns its log
	lifePrevious                       // ended, one later instance: previous=true returns its log
	lifeForgotten                      // ended, and the kubelet no longer has its log
	lifeGone                           // the pod is deleted
)

// lookUp reads the pod. It returns an error only for the connection or the
// server, not for an answer about the pod.
func lookUp(ctx context.Context, c *client.Connection, id train.StreamID) (instanceState, error) {
	var pod corev1.Pod
	err := c.Ask(ctx, func(ctx context.Context) error {
		return c.Core.Get().AbsPath("/api/v1/namespaces", id.Namespace, "pods", id.Pod).Do(ctx).Into(&pod)
	})
	switch {
	case apierrors.IsForbidden(err):
		return instanceState{stage: lifeUnknown}, nil
	case apierrors.IsNotFound(err):
		return instanceState{stage: lifeGone, reason: "the pod does not exist any more"}, nil
	case err != nil:
		return instanceState{}, err
	case id.UID != "" && string(pod.UID) != id.UID:
		return instanceState{stage: lifeGone, reason: "another pod has taken its name"}, nil
	}
	return lifeIn(&pod, id), nil
}

func lifeIn(pod *corev1.Pod, id train.StreamID) instanceState {
	found := instanceState{node: pod.Spec.NodeName, stage: lifeWaiting, reason: "the container has not started yet"}
	status := kinds.ContainerStatus(pod, id.Container)
	if status == nil {
		return found
	}
	between := status.State.Waiting != nil && status.LastTerminationState.Terminated != nil
	switch later := int(status.RestartCount) - id.Restart; {
	case later < 0:
		found.reason = "the API server does not know of this life yet"
	case later == 0 && status.State.Running != nil:
		found.stage, found.started = lifeRunning, status.State.Running.StartedAt.Time
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

// lookup is a lookUp that runs beside a request for the log.
type lookup struct {
	done  chan struct{}
	found instanceState
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

func (l *lookup) wait() (instanceState, error) {
	<-l.done
	return l.found, l.err
}

// newest reports whether a request without previous=true returns this
// instance's log.
func (l instanceState) newest() bool {
	return l.stage == lifeRunning || l.stage == lifeEnded || l.stage == lifeUnknown
}

// lookUpInstance returns the state of the instance. A command that waits for the
// answer meanwhile requests the log as that of the newest instance, which is
// usually right: one after the other takes twice as long on a slow server.
func (s *logStream) lookUpInstance(ctx context.Context, believed bool) (instanceState, error) {
	known := s.known
	s.known, s.beside = nil, nil
	switch {
	case known != nil:
		return *known, nil
	case believed:
		return instanceState{stage: lifeRunning}, nil
	case s.run.once && !s.previous:
		s.beside = beginLookUp(ctx, s.run.connection, s.id)
		return instanceState{stage: lifeRunning}, nil
	}
	now, err := lookUp(ctx, s.run.connection, s.id)
	if err == nil {
		s.node = now.node
	}
	return now, err
}

// confirm waits for the look-up beside a request for a log, if there is one.
// It returns errNewLook if the request was for another instance.
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

// errOtherLog ends an answer that lacks the newest delivered line, before any of
// it is delivered.
var errOtherLog = errors.New("the answer lacks the newest line that was read")

// statusLag is how much later than the kubelet's new log the status of a pod may
// report that its container was restarted.
const statusLag = 3 * time.Second

// otherInstance finds out why an answer lacks the newest delivered line: the log
// was rotated, or it is that of the next instance, which the API server may not
// know of yet. It returns the state of the instance where that has changed, and
// nil where nothing shows it in time.
func (s *logStream) otherInstance(ctx context.Context) *instanceState {
	for began := s.run.now(); s.run.now().Sub(began) < statusLag; {
		now, err := lookUp(ctx, s.run.connection, s.id)
		if err != nil || now.stage == lifeUnknown {
			return nil
		}
		if !now.newest() {
			return &now
		}
		if !client.Sleep(ctx, statusLag/6) {
			return nil
		}
	}
	return nil
}

// confirmed returns the state from the look-up beside the request.
func (s *logStream) confirmed(now instanceState) instanceState {
	if s.beside == nil || s.beside.err != nil {
		return now
	}
	return s.beside.found
}
