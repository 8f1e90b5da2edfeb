package receivers

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/sources/proxyenv"
)

// TLS sets which certificates of a server are trusted.
type TLS struct {
	CAFile             string `json:"caFile" means:"file of PEM certificates to trust instead of those of this machine"`
	InsecureSkipVerify bool   `json:"insecureSkipVerify" means:"trust any certificate"`
	ServerName         string `json:"serverName" means:"name that the certificate has to be for, where it is not that of the address"`
}

// config is the configuration of connections; ca is the content of CAFile.
func (t TLS) config(ca []byte) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: t.InsecureSkipVerify, ServerName: t.ServerName} //nolint:gosec // a person asked for it
	if t.CAFile == "" {
		return c, nil
	}
	c.RootCAs = x509.NewCertPool()
	if !c.RootCAs.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("read caFile: there is no PEM certificate in %s", t.CAFile)
	}
	return c, nil
}

// authorities reads CAFile.
func (t TLS) authorities() ([]byte, error) {
	if t.CAFile == "" {
		return nil, nil
	}
	ca, err := localfile.Read(t.CAFile, localfile.Settings)
	if err != nil {
		return nil, fmt.Errorf("read caFile: %w", err)
	}
	return ca, nil
}

// newClient makes a client, with the usual trust for nil. It follows no
// redirects: a message would be sent as a GET, or to another host.
func newClient(config *tls.Config) *http.Client {
	through := http.DefaultTransport.(*http.Transport).Clone() // as net/http documents it
	through.Proxy = proxyenv.OfRequest
	through.TLSClientConfig = config
	through.ForceAttemptHTTP2 = true
	through.ResponseHeaderTimeout = requestTimeout
	through.IdleConnTimeout = time.Minute
	through.MaxResponseHeaderBytes = largestAnswer
	return &http.Client{
		Transport:     through,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// clients are the HTTP clients of one receiver: the one that all share, or one
// with its own trust, which is made anew when the file of certificates changes.
type clients struct {
	shared *http.Client
	// timeout is the deadline of a request with its answer.
	timeout time.Duration
	mutex   sync.Mutex
	ca      string
	own     *http.Client
}

func (c *clients) client(t TLS) (*http.Client, error) {
	if t == (TLS{}) {
		return c.shared, nil
	}
	ca, err := t.authorities()
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.own != nil && c.ca == string(ca) {
		return c.own, nil
	}
	config, err := t.config(ca)
	if err != nil {
		return nil, err
	}
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
	c.own, c.ca = newClient(config), string(ca)
	return c.own, nil
}
