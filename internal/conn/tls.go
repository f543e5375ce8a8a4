package conn

import (
	"bytes"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"software.sslmate.com/src/go-pkcs12"
)

func (t table) tls() (*TLS, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	out := &TLS{Config: cfg, Trust: "the system's certificate authorities"}
	trusted, where, err := t.trust()
	if err != nil {
		return nil, err
	}
	if trusted != nil {
		cfg.RootCAs = x509.NewCertPool()
		for _, c := range trusted {
			cfg.RootCAs.AddCert(c)
		}
		out.Trust = fmt.Sprintf("%d certificates of %s", len(trusted), where)
		if len(trusted) == 1 {
			out.Trust = fmt.Sprintf("%s, of %s", trusted[0].Subject, where)
		}
	}
	own, err := t.ownCertificate()
	if err != nil {
		return nil, err
	}
	if own != nil {
		cfg.Certificates = []tls.Certificate{*own}
		out.Client = own.Leaf.Subject.String()
	}
	switch alg := t.get(keyEndpoint); {
	case alg == "" && t.has(keyEndpoint):
		out.AnyHost = true
		skipHostName(cfg)
	case alg != "" && alg != "https" && alg != "HTTPS":
		return nil, fmt.Errorf("%s: %q in %s is not supported; allowed are https and an empty value, which checks no host name",
			keyEndpoint, alg, t[keyEndpoint].origin)
	}
	return out, nil
}

// trust reads who may vouch for a broker: inline PEM before a file, as in Kafka.
func (t table) trust() ([]*x509.Certificate, string, error) {
	if text := t.get(keyTrustCerts); text != "" {
		certs, err := certificates(text)
		if err != nil {
			return nil, "", fmt.Errorf("%s in %s: %w", keyTrustCerts, t[keyTrustCerts].origin, err)
		}
		return certs, keyTrustCerts, nil
	}
	if t.get(keyTrust) == "" {
		return nil, "", nil
	}
	s, err := t.store(keyTrust, keyTrustType, keyTrustPass)
	if err != nil {
		return nil, "", err
	}
	certs, err := s.trusted()
	return certs, s.where, err
}

// ownCertificate is what we show a broker that asks who we are; nil when there is none.
func (t table) ownCertificate() (*tls.Certificate, error) {
	chain, key := t.get(keyKeysChain), t.get(keyKeysKey)
	switch {
	case chain != "" && key != "":
		c, err := pemPair(chain, key)
		if err != nil {
			return nil, fmt.Errorf("%s and %s: %w", keyKeysChain, keyKeysKey, err)
		}
		return &c, nil
	case chain != "":
		return nil, fmt.Errorf("%s: given without %s; both are needed", keyKeysChain, keyKeysKey)
	case key != "":
		return nil, fmt.Errorf("%s: given without %s; both are needed", keyKeysKey, keyKeysChain)
	case t.get(keyKeys) == "":
		return nil, nil
	}
	s, err := t.store(keyKeys, keyKeysType, keyKeysPass)
	if err != nil {
		return nil, err
	}
	c, err := s.pair()
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// skipHostName leaves the check of the chain in place and drops that of the name, which is all that an empty endpoint
// algorithm means to Kafka.
func skipHostName(cfg *tls.Config) {
	cfg.InsecureSkipVerify = true
	cfg.VerifyConnection = func(cs tls.ConnectionState) error {
		if len(cs.PeerCertificates) == 0 {
			return errors.New("the broker shows no certificate")
		}
		opts := x509.VerifyOptions{Roots: cfg.RootCAs, Intermediates: x509.NewCertPool()}
		for _, c := range cs.PeerCertificates[1:] {
			opts.Intermediates.AddCert(c)
		}
		_, err := cs.PeerCertificates[0].Verify(opts)
		return err
	}
}

// store is a key or trust store: a file, or PEM text in the properties themselves.
type store struct {
	key      string // the property that names it, for complaints
	where    string // path, or the origin of inline text
	kind     string // PEM, PKCS12
	raw      []byte
	password string
}

// store finds the store that location names, and what it is. The declared type says what it should be; Java's own default,
// JKS, also opens PKCS12, so what the bytes are decides, as long as PEM is not confused with the others.
func (t table) store(location, typ, password string) (store, error) {
	s := store{key: location, where: t.get(location), password: t.get(password)}
	declared, err := t.choice(typ, "", "PEM", "PKCS12", "JKS")
	if err != nil {
		return s, err
	}
	if s.raw, err = os.ReadFile(s.where); err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return s, fmt.Errorf("%s: %s: %w", location, s.where, err)
	}
	switch {
	case bytes.HasPrefix(s.raw, []byte{0xFE, 0xED, 0xFE, 0xED}):
		return s, fmt.Errorf("%s: %s is a JKS store, which only Java reads; convert it with: keytool -importkeystore "+
			"-srckeystore %s -destkeystore %s.p12 -deststoretype PKCS12", location, s.where, s.where,
			strings.TrimSuffix(s.where, ".jks"))
	case bytes.Contains(s.raw, []byte("-----BEGIN ")):
		s.kind = "PEM"
	case len(s.raw) > 0 && s.raw[0] == 0x30: // a DER sequence
		s.kind = "PKCS12"
	default:
		return s, fmt.Errorf("%s: %s is neither PEM nor PKCS12", location, s.where)
	}
	if declared != "" && (declared == "PEM") != (s.kind == "PEM") {
		return s, fmt.Errorf("%s: %s says %s, but %s is %s", location, typ, declared, s.where, s.kind)
	}
	return s, nil
}

// fail says what is wrong with the store.
func (s store) fail(err error) error {
	if errors.Is(err, pkcs12.ErrIncorrectPassword) {
		err = errors.New("its password is wrong or missing; it goes into " + strings.Replace(s.key, "location", "password", 1))
	}
	return fmt.Errorf("%s: %s: %w", s.key, s.where, err)
}

// trusted are the certificates of a trust store.
func (s store) trusted() ([]*x509.Certificate, error) {
	if s.kind == "PEM" {
		certs, err := certificates(string(s.raw))
		if err != nil {
			return nil, s.fail(err)
		}
		return certs, nil
	}
	certs, err := pkcs12.DecodeTrustStore(s.raw, s.password)
	if err != nil {
		return nil, s.fail(err)
	}
	return certs, nil
}

// pair is our own certificate with its chain and key.
func (s store) pair() (tls.Certificate, error) {
	if s.kind == "PEM" {
		c, err := pemPair(string(s.raw), string(s.raw))
		if err != nil {
			return c, s.fail(err)
		}
		return c, nil
	}
	key, leaf, chain, err := pkcs12.DecodeChain(s.raw, s.password)
	if err != nil {
		return tls.Certificate{}, s.fail(err)
	}
	c, err := pair(key, append([]*x509.Certificate{leaf}, chain...))
	if err != nil {
		return c, s.fail(err)
	}
	return c, nil
}

func pemPair(chain, key string) (tls.Certificate, error) {
	certs, err := certificates(chain)
	if err != nil {
		return tls.Certificate{}, err
	}
	k, err := privateKey(key)
	if err != nil {
		return tls.Certificate{}, err
	}
	return pair(k, certs)
}

// pair checks that the key is the first certificate's: a broker would only say "bad certificate".
func pair(key any, certs []*x509.Certificate) (tls.Certificate, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return tls.Certificate{}, err
	}
	var chain bytes.Buffer
	for _, c := range certs {
		if err := pem.Encode(&chain, &pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}); err != nil {
			return tls.Certificate{}, err
		}
	}
	out, err := tls.X509KeyPair(chain.Bytes(), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	if err != nil {
		if signer, ok := key.(crypto.Signer); ok && !samePublic(signer, certs[0]) {
			return out, errors.New("the private key is not that of the first certificate")
		}
		return out, err
	}
	return out, nil
}

func samePublic(key crypto.Signer, cert *x509.Certificate) bool {
	pub, ok := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	return ok && pub.Equal(cert.PublicKey)
}

var pemBegin = regexp.MustCompile(`-----BEGIN ([A-Z0-9 ]+)-----`)

// pemBlocks reads PEM as Kafka does: a block pasted on one line of a properties file, with blanks where its line ends were,
// counts too. Text between blocks is skipped.
func pemBlocks(s string) ([]*pem.Block, error) {
	var out []*pem.Block
	for {
		m := pemBegin.FindStringSubmatchIndex(s)
		if m == nil {
			return out, nil
		}
		kind := s[m[2]:m[3]]
		body, rest, ok := strings.Cut(s[m[1]:], "-----END "+kind+"-----")
		if !ok {
			return nil, errors.New("the PEM block " + kind + " does not end")
		}
		if strings.Contains(body, "ENCRYPTED") || strings.Contains(kind, "ENCRYPTED") {
			return nil, errEncryptedKey
		}
		der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(body), ""))
		if err != nil {
			return nil, errors.New("the PEM block " + kind + " is damaged: it is not base64")
		}
		out = append(out, &pem.Block{Type: kind, Bytes: der})
		s = rest
	}
}

var errEncryptedKey = errors.New("the private key is encrypted; make a plain copy with: openssl pkey -in key.pem -out plain.pem")

// certificates are those of PEM text, in its order.
func certificates(s string) ([]*x509.Certificate, error) {
	blocks, err := pemBlocks(s)
	if err != nil {
		return nil, err
	}
	var out []*x509.Certificate
	for _, b := range blocks {
		if !strings.HasSuffix(b.Type, "CERTIFICATE") {
			continue
		}
		c, err := x509.ParseCertificate(b.Bytes)
		if err != nil {
			return nil, errors.New("a certificate cannot be read: " + err.Error())
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, errors.New("it holds no PEM certificate")
	}
	return out, nil
}

// privateKey is the first private key of PEM text.
func privateKey(s string) (any, error) {
	blocks, err := pemBlocks(s)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		var key any
		switch b.Type {
		case "PRIVATE KEY":
			key, err = x509.ParsePKCS8PrivateKey(b.Bytes)
		case "RSA PRIVATE KEY":
			key, err = x509.ParsePKCS1PrivateKey(b.Bytes)
		case "EC PRIVATE KEY":
			key, err = x509.ParseECPrivateKey(b.Bytes)
		default:
			continue
		}
		if err != nil {
			return nil, errors.New("its private key cannot be read: " + err.Error())
		}
		return key, nil
	}
	return nil, errors.New("it holds no PEM private key")
}
