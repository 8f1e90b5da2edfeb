package receivers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/textproto"
	"syscall"

	"github.com/wneessen/go-mail"
)

// smtpDialer connects to a mail server. The connection ends with the mail's
// context: the library sets no deadline before the greeting.
type smtpDialer struct {
	ctx  context.Context // of the mail
	port int
	tls  *tls.Config // for a connection that is encrypted from the start
}

func (d smtpDialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	plain, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(d.ctx, func() { _ = plain.Close() })
	connection := &shortAnswers{Conn: plain, left: largestSession}
	if d.tls == nil {
		return connection, nil
	}
	encrypted := tls.Client(connection, d.tls)
	if err := encrypted.HandshakeContext(ctx); err != nil {
		_ = connection.Close()
		return nil, err
	}
	return encrypted, nil
}

// largestSession is how much a mail server may answer to one mail in all, in bytes. The
// certificates of TLS are a part of it.
const largestSession = 1 << 20

// errLongSession ends a session with a server that answers more.
var errLongSession = errors.New("it answers more than a mail server does (1 MiB)")

// shortAnswers is a connection from which only so much is read: the library keeps
// lines of an answer until the last one.
type shortAnswers struct {
	net.Conn
	left int
}

func (c *shortAnswers) Read(into []byte) (int, error) {
	if c.left <= 0 {
		return 0, errLongSession
	}
	n, err := c.Conn.Read(into[:min(len(into), c.left)])
	c.left -= n
	return n, err
}

// smtpCode is the code of a mail server's refusal, 0 for none.
func smtpCode(err error) int {
	if sent := (*mail.SendError)(nil); errors.As(err, &sent) {
		return sent.ErrorCode()
	}
	if answer := (*textproto.Error)(nil); errors.As(err, &answer) {
		return answer.Code
	}
	return 0
}

// isBroken reports whether a connection was not made, or ended early. A
// certificate that is not trusted may be renewed, so it counts too.
func isBroken(err error) bool {
	network, certificate := (net.Error)(nil), (*tls.CertificateVerificationError)(nil)
	unknown := x509.UnknownAuthorityError{}
	sent := (*mail.SendError)(nil)
	return errors.As(err, &network) || errors.As(err, &certificate) || errors.As(err, &unknown) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errLongSession) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &sent) && sent.ErrorCode() == 0
}
