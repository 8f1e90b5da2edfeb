package client

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestListsLeaveRoomForTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		live := uint64(0)
		r := newListRoom(Timeouts{Once: true, Until: time.Now().Add(27 * time.Second)})
		r.live = func() uint64 { return live }
		r.Read(TypedForm, 100_000)
		if err := r.Full(100_000, 1<<30); err != nil {
			t.Errorf("100,000 pods: %v", err)
		}
		time.Sleep(22 * time.Second)
		if err := r.Full(100_000, 1<<30); !IsCut(err) || !strings.Contains(err.Error(), "goes on after 100000 objects, and the time that is left") {
			t.Errorf("with 5 s left: %v", err)
		}
		r = newListRoom(Timeouts{Once: true, Until: time.Now().Add(27 * time.Second)})
		r.live = func() uint64 { return live }
		live = mostLive + 1
		if err := r.Full(100_000, 1<<30); !IsCut(err) || !strings.Contains(err.Error(), "no more than 320 MiB of memory") {
			t.Errorf("with a full heap: %v", err)
		}
		if err := r.Full(300, 1<<20); err != nil {
			t.Errorf("a short list beside a long one: %v", err)
		}
	})
	for _, p := range []Timeouts{{}, {Once: true}, {Once: true, Endless: true, Until: time.Now().Add(time.Second)}} {
		r := newListRoom(p)
		r.Read(TypedForm, 1e9)
		if err := r.Full(1e9, 1<<40); err != nil {
			t.Errorf("%+v bounds a list: %v", p, err)
		}
	}
}
