package kube

import (
	"context"

	"github.com/traintop/traintop/train"
)

// lookup is a look-up of a life that runs while something else is asked for.
type lookup struct {
	done  chan struct{}
	found life
	err   error
}

func (c *connection) beginLookUp(ctx context.Context, id train.StreamID) *lookup {
	l := &lookup{done: make(chan struct{})}
	go func() {
		defer close(l.done)
		l.found, l.err = c.lookUp(ctx, id)
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
		s.beside = s.run.connection.beginLookUp(ctx, s.id)
		return life{stage: lifeRunning}, nil
	}
	now, err := s.run.connection.lookUp(ctx, s.id)
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
