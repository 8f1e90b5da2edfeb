package receivers

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/termtext/corpus"
)

// postOffice is a mail server of a test. The fields are its answers.
type postOffice struct {
	password string // "" asks for none
	refuse   error  // of each RCPT TO
	lost     bool   // the connection breaks behind the message

	mutex sync.Mutex
	from  string
	to    []string
	mails [][]byte
	user  string
}

type postOfficeSession struct {
	*postOffice
	connection *smtp.Conn
	known      bool
}

func (p *postOffice) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &postOfficeSession{postOffice: p, connection: c}, nil
}

func (s *postOfficeSession) AuthMechanisms() []string {
	if s.password == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (s *postOfficeSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != s.password {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "bad credentials: " + password}
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.known, s.user = true, user
		return nil
	}), nil
}

func (s *postOfficeSession) Mail(from string, _ *smtp.MailOptions) error {
	if s.password != "" && !s.known {
		return smtp.ErrAuthRequired
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.from, s.to = from, nil
	return nil
}

func (s *postOfficeSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.to = append(s.to, to)
	return s.refuse
}

func (s *postOfficeSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.mails = append(s.mails, text)
	return nil
}

// Reset comes after the answer to a message.
func (s *postOfficeSession) Reset() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.lost && len(s.mails) > 0 {
		_ = s.connection.Conn().Close()
	}
}

func (s *postOfficeSession) Logout() error { return nil }

// open starts the server. encrypted is TLS from the first byte.
func (p *postOffice) open(t *testing.T, trust *tls.Config, encrypted bool) (port int) {
	t.Helper()
	server := smtp.NewServer(p)
	server.Domain, server.TLSConfig, server.AllowInsecureAuth = "mail.test", trust, false
	server.ReadTimeout, server.WriteTimeout = 10*time.Second, 10*time.Second
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port = listener.Addr().(*net.TCPAddr).Port
	if encrypted {
		listener = tls.NewListener(listener, trust)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return port
}

// certificate makes one for 127.0.0.1, and the file of its authority.
func certificate(t *testing.T) (*tls.Config, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail.test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, file
}

// received is the last mail, decoded.
func (p *postOffice) received(t *testing.T) (header mail.Header, subject, body string) {
	t.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.mails) == 0 {
		t.Fatal("no mail came")
	}
	message, err := mail.ReadMessage(bytes.NewReader(p.mails[len(p.mails)-1]))
	if err != nil {
		t.Fatal(err)
	}
	var words mime.WordDecoder
	subject, err = words.DecodeHeader(message.Header.Get("Subject"))
	if err != nil {
		t.Fatal(err)
	}
	var reader io.Reader = message.Body
	if strings.EqualFold(message.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
		reader = quotedprintable.NewReader(reader)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return message.Header, subject, strings.ReplaceAll(string(text), "\r\n", "\n")
}

func smtpFor(port int, ca string) *SMTP {
	return &SMTP{
		Host: "127.0.0.1", Port: port, From: "Traintop <traintop@example.com>", To: []string{"ml@example.com", "Ada <ada@example.com>"},
		Username: "traintop", Password: Secret{Env: "PASSWORD"}, TLS: TLS{CAFile: ca},
	}
}

var smtpPassword = map[string]string{"PASSWORD": "p4ss-Word-9f2"}

func TestMailIsSentOverBothWaysOfTLS(t *testing.T) {
	trust, ca := certificate(t)
	for _, encryption := range []string{startTLS, "", fromTheStart} {
		office := &postOffice{password: smtpPassword["PASSWORD"]}
		service := smtpFor(office.open(t, trust, encryption == fromTheStart), ca)
		service.Encryption = encryption
		if err := send(t, made(t, smtpKind, service, smtpPassword), opened()); err != nil {
			t.Fatalf("%q: %v", encryption, err)
		}
		header, subject, body := office.received(t)
		if subject != "ERROR ml/PyTorchJob/bert: CUDA out of memory on rank 37" || office.user != "traintop" || office.from != "traintop@example.com" || strings.Join(office.to, " ") != "ml@example.com ada@example.com" {
			t.Errorf("%q: subject %q from %q to %q as %q", encryption, subject, office.from, office.to, office.user)
		}
		for _, want := range []string{"rank: 37\n", "evidence: torch.OutOfMemoryError", "open it with: traintop diagnose ml/PyTorchJob/bert\n", "cost: 3.2 GPU-hours so far\n"} {
			if !strings.Contains(body, want) {
				t.Errorf("%q: %q is not in\n%s", encryption, want, body)
			}
		}
		if id, thread := header.Get("Message-Id"), header.Get("References"); id != "<3f6a1c0d9b2e4a57-opened-1@traintop>" || thread != "<3f6a1c0d9b2e4a57.incident@traintop>" || header.Get("Auto-Submitted") != "auto-generated" {
			t.Errorf("the headers are %v", header)
		}
		if at, err := header.Date(); err != nil || !at.Equal(now) {
			t.Errorf("the date is %s, %v", at, err)
		}
	}
}

func TestMailWithoutEncryption(t *testing.T) {
	office := &postOffice{}
	service := smtpFor(office.open(t, nil, false), "")
	service.Encryption, service.Username, service.Password = unencrypted, "", Secret{}
	if err := send(t, made(t, smtpKind, service, nil), opened()); err != nil {
		t.Error(err)
	}
	office.received(t)
	// A server that offers no STARTTLS gets nothing where it has to be.
	service.Encryption = startTLS
	if err := send(t, made(t, smtpKind, service, nil), opened()); err == nil || !strings.Contains(err.Error(), "STARTTLS") || len(office.mails) != 1 {
		t.Errorf("%d mails, %v", len(office.mails), err)
	}
}

// TestMailThatIsRefused: 4xx and broken connections pass, 5xx are final, and the
// password is in no error, though the server quotes it.
func TestMailThatIsRefused(t *testing.T) {
	trust, ca := certificate(t)
	for name, c := range map[string]struct {
		office *postOffice
		change func(*SMTP)
		again  bool
		words  string
	}{
		"greylisted":     {&postOffice{refuse: &smtp.SMTPError{Code: 451, Message: "try again later"}}, nil, true, "try again later"},
		"no such user":   {&postOffice{refuse: &smtp.SMTPError{Code: 550, Message: "no such user"}}, nil, false, "no such user"},
		"wrong password": {&postOffice{password: "another"}, nil, false, "bad credentials: (hidden)"},
		"not trusted":    {&postOffice{}, func(k *SMTP) { k.CAFile = "" }, true, "certificate"},
		"nobody there":   {&postOffice{}, func(k *SMTP) { k.Port = 1 }, true, "refused"},
	} {
		if c.office.password == "" {
			c.office.password = smtpPassword["PASSWORD"]
		}
		service := smtpFor(c.office.open(t, trust, false), ca)
		if c.change != nil {
			c.change(service)
		}
		err := send(t, made(t, smtpKind, service, smtpPassword), opened())
		if _, again := retries(err); err == nil || again != c.again || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), smtpPassword["PASSWORD"]) {
			t.Errorf("%s: again %t: %v", name, again, err)
		}
	}
}

// TestMailThatArrivedIsNotSentAgain because the connection broke afterwards.
func TestMailThatArrivedIsNotSentAgain(t *testing.T) {
	office := &postOffice{lost: true}
	service := smtpFor(office.open(t, nil, false), "")
	service.Encryption, service.Username, service.Password = unencrypted, "", Secret{}
	if err := send(t, made(t, smtpKind, service, nil), opened()); err != nil || len(office.mails) != 1 {
		t.Errorf("%d mails, %v", len(office.mails), err)
	}
}

// TestASilentMailServerIsLeft: it accepts connections and sends nothing.
func TestASilentMailServerIsLeft(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for _, encryption := range []string{startTLS, fromTheStart, unencrypted} {
		service := smtpFor(listener.Addr().(*net.TCPAddr).Port, "")
		service.Encryption, service.Username, service.Password = encryption, "", Secret{}
		s := &sending{options: &Options{Now: time.Now}, clients: &clients{}, message: alerts.MessageOf(opened())}
		ctx, cancel := contextWithTimeout(t, 300*time.Millisecond)
		began := time.Now()
		err := service.send(ctx, s, opened())
		cancel()
		if _, again := retries(err); !again || time.Since(began) > 5*time.Second {
			t.Errorf("%s: after %s: %v", encryption, time.Since(began), err)
		}
	}
}

// TestAnEndlessGreetingIsLeft before it takes memory.
func TestAnEndlessGreetingIsLeft(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	sent := make(chan int, 1)
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		line, total := []byte("220-"+strings.Repeat("x", 60_000)+"\r\n"), 0
		for err == nil && total < 1<<30 {
			var n int
			n, err = connection.Write(line)
			total += n
		}
		sent <- total
	}()
	service := smtpFor(listener.Addr().(*net.TCPAddr).Port, "")
	service.Encryption, service.Username, service.Password = unencrypted, "", Secret{}
	err = send(t, made(t, smtpKind, service, nil), opened())
	if _, again := retries(err); !again || !strings.Contains(err.Error(), "more than a mail server") {
		t.Errorf("again %t: %v", again, err)
	}
	if total := <-sent; total > 64<<20 { // what the system keeps for the connection is in it
		t.Errorf("%d bytes were taken", total)
	}
}

// TestSecretsInBase64AreHidden: mail servers quote a command that they refuse.
func TestSecretsInBase64AreHidden(t *testing.T) {
	s := &sending{hidden: []string{"p4ss-Word-9f2"}}
	for _, sent := range []string{"\x00traintop\x00p4ss-Word-9f2", "\x00ada\x00p4ss-Word-9f2", "ada:p4ss-Word-9f2", "p4ss-Word-9f2", "user=ada\x01auth=Bearer p4ss-Word-9f2\x01\x01"} {
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			word := encoding.EncodeToString([]byte(sent))
			for end := len(word); end > len(word)/2; end-- {
				text := s.hide(`Command unrecognized: "AUTH PLAIN ` + word[:end] + `"`)
				left, _, _ := strings.Cut(strings.TrimPrefix(text, `Command unrecognized: "AUTH PLAIN `), `"`)
				decoded, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(left, "="))
				if strings.Contains(string(decoded), "p4ss") {
					t.Errorf("%q: %q", sent, text)
				}
			}
		}
	}
	const honest = "553 5.1.8 Sender address rejected: Domain_not_found smtp-out-42.example.com id c2FmZSBhbmQgc291bmQ"
	if text := s.hide(honest); text != honest {
		t.Errorf("%q became %q", honest, text)
	}
}

// TestHostileTextInMail makes no header, no second mail and no second part.
func TestHostileTextInMail(t *testing.T) {
	office := &postOffice{}
	service := smtpFor(office.open(t, nil, false), "")
	service.Encryption, service.Username, service.Password = unencrypted, "", Secret{}
	r := made(t, smtpKind, service, nil)
	allowed := map[string]bool{"Subject": true, "Date": true, "Message-Id": true, "In-Reply-To": true, "References": true, "Auto-Submitted": true, "X-Traintop-Event-Id": true, "From": true, "To": true, "Mime-Version": true, "Content-Type": true, "Content-Transfer-Encoding": true}
	for _, text := range append(hostileTexts(), "x\r\n.\r\nMAIL FROM:<evil@example.com>\r\n", "x\n.\nDATA", "=?utf-8?q?=0D=0ABcc:_evil@example.com?=") {
		if err := send(t, r, noticeOf(text)); err != nil {
			t.Errorf("%.60q: %v", text, err)
			continue
		}
		header, subject, body := office.received(t)
		for name := range header {
			if !allowed[name] {
				t.Errorf("%.60q made the header %s", text, name)
			}
		}
		if strings.ContainsAny(subject, "\r\n") || inCharacters(subject) > mailSubject || corpus.Check(subject) != nil || corpus.Check(body) != nil || !strings.HasPrefix(header.Get("Content-Type"), "text/plain") {
			t.Errorf("%.60q: subject %q, %v, %v", text, subject, corpus.Check(subject), corpus.Check(body))
		}
	}
	if len(office.to) != 2 {
		t.Errorf("it went to %q", office.to)
	}
}

var errNever = errors.New("never")

// TestSMTPCodes of errors that have none.
func TestSMTPCodes(t *testing.T) {
	if smtpCode(errNever) != 0 || isBroken(errNever) || !isBroken(io.EOF) {
		t.Error("an error without a code has one, or end of file is no broken connection")
	}
}

// TestPlantedSecretsInMail are masked.
func TestPlantedSecretsInMail(t *testing.T) {
	office := &postOffice{}
	service := smtpFor(office.open(t, nil, false), "")
	service.Encryption, service.Username, service.Password = unencrypted, "", Secret{}
	r := made(t, smtpKind, service, nil)
	for _, n := range plantedNotices() {
		if err := send(t, r, n); err != nil {
			t.Fatal(err)
		}
		if _, subject, body := office.received(t); strings.Contains(subject+body, planted) {
			t.Errorf("%q\n%s", subject, body)
		}
	}
}
