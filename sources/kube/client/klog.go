package client

import (
	"context"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// SilenceKlog keeps client-go, its credential plugins and its transports from
// writing to the terminal that shows the screen. klog's logger is global; its
// errors reach people as health instead.
var SilenceKlog = sync.OnceFunc(func() { klog.SetLogger(logr.Discard()) })

// WithoutLogs does the same for loggers in a context.
func WithoutLogs(ctx context.Context) context.Context {
	return klog.NewContext(ctx, logr.Discard())
}
