package ui

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

func TestABurstIsFewPictures(t *testing.T) {
	for _, every := range []time.Duration{0, 100 * time.Microsecond, 300 * time.Microsecond} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := store.New(time.Now)
			var pictures []snapshotTaken
			w := &watcher{ctx: ctx, send: func(msg tea.Msg) { pictures = append(pictures, msg.(snapshotTaken)) }}
			w.follow(s)
			for i := range 10_000 {
				s.Apply(store.Set{Kind: kinds.PodKind, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: fmt.Sprint(i)}}})
				time.Sleep(every)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if n := len(pictures); n == 0 || n >= 20 {
				t.Errorf("10,000 events, one each %v, are %d redraws", every, n)
			}
			if last := pictures[len(pictures)-1]; last.of.Count(kinds.PodKind) != 10_000 {
				t.Errorf("the last picture has %d pods", last.of.Count(kinds.PodKind))
			}
			cancel()
			w.end()
		})
	}
}

func TestOneChangeShowsAFrameLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := store.New(time.Now)
		began, shown := time.Now(), time.Duration(0)
		w := &watcher{ctx: ctx, send: func(tea.Msg) { shown = time.Since(began) }}
		w.follow(s)
		s.Apply(store.Clock{Now: began})
		time.Sleep(time.Second)
		synctest.Wait()
		if shown != shortPause {
			t.Errorf("a change shows after %v", shown)
		}
		other := store.New(time.Now)
		w.follow(other) // nothing waits for the first store any more
		shown = 0
		s.Apply(store.Clock{Now: began})
		time.Sleep(time.Second)
		synctest.Wait()
		if shown != 0 {
			t.Error("a store that was left still shows")
		}
		cancel()
		w.end()
	})
}
