package jobmetrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Limits of the HTTP server. A scrape of Prometheus has 10 s unless configured.
const (
	requestTime  = 10 * time.Second // to send a request
	answerTime   = 30 * time.Second // to make and take an answer
	idleTime     = 2 * time.Minute  // between two requests of a connection
	shutdownTime = 5 * time.Second  // for scrapes under way when it ends
	mostHeader   = 16 << 10         // bytes
	mostScrapes  = 8                // at once; the next one is answered 503
)

// Handler serves /metrics, /healthz (the program is alive) and /readyz (it has
// observed a settled snapshot; 503 before).
func (e *Exporter) Handler() http.Handler { return e.handler }

func (e *Exporter) routes(registry *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.InstrumentMetricHandler(registry, promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		Registry: registry, ErrorLog: e.options.Log, ErrorHandling: promhttp.ContinueOnError,
		MaxRequestsInFlight: mostScrapes, Timeout: answerTime, EnableOpenMetrics: true,
	})))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "alive\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !e.newest.Load().settled {
			answer(w, http.StatusServiceUnavailable, "not ready: not all sources have given their first answer\n")
			return
		}
		answer(w, http.StatusOK, "ready\n")
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "traintop serves /metrics, /healthz and /readyz\n")
	})
	return mux
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

// Serve listens at an address ("host:port", ":9464") and serves Handler until
// ctx ends; then it finishes the scrapes under way and returns nil. Any other
// end is an error.
func (e *Exporter) Serve(ctx context.Context, address string) error {
	listener, err := Listen(ctx, address)
	if err != nil {
		return err
	}
	if _, port, err := net.SplitHostPort(address); err == nil && (port == "" || port == "0") {
		e.options.Log.Printf("no port is named for the metrics, and the system chose one: they are served at %s", listener.Addr())
	}
	return e.ServeListener(ctx, listener)
}

// Listen opens the port for ServeListener, so that a caller knows that it is
// free before it begins. The error states what to do.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err == nil {
		return listener, nil
	}
	advice := "an address is HOST:PORT, or :PORT for all addresses of this machine, such as :9464"
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		advice = "another program listens there; end it, or choose another address"
	case errors.Is(err, syscall.EACCES):
		advice = "this program may not use that port; choose one from 1024 on"
	}
	if inner := (*net.OpError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	return nil, fmt.Errorf("listening at %s for scrapes of metrics: %w: %s", address, err, advice)
}

// ServeListener is Serve on an open port, which it closes.
func (e *Exporter) ServeListener(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: e.handler, ErrorLog: e.options.Log, MaxHeaderBytes: mostHeader,
		ReadHeaderTimeout: requestTime, ReadTimeout: requestTime, WriteTimeout: answerTime + requestTime, IdleTimeout: idleTime,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving metrics at %s ended by itself: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if server.Shutdown(last) != nil {
		_ = server.Close() // whoever still reads has had its time
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving metrics at %s: %w", listener.Addr(), err)
	}
	return nil
}
