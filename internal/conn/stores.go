package conn

import (
	"bytes"
	"cmp"
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

	"github.com/pavlo-v-chernykh/keystore-go/v4"
	"github.com/youmark/pkcs8"
	"software.sslmate.com/src/go-pkcs12"
)

// store is a key or trust store: a file, or PEM text in the properties themselves.
type store struct {
	key      string // the property that names it, for complaints
	where    string // path, or the origin of inline text
	kind     string // PEM, PKCS12, JKS
	raw      []byte
	password string
	// keyPassword is that of the key within; "": the store's own, as for Java.
	keyPassword string
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
		s.kind = "JKS"
	case bytes.Contains(s.raw, []byte("-----BEGIN ")):
		s.kind = "PEM"
	case len(s.raw) > 0 && s.raw[0] == 0x30: // a DER sequence
		s.kind = "PKCS12"
	default:
		return s, fmt.Errorf("%s: %s is neither PEM, PKCS12 nor JKS", location, s.where)
	}
	if declared != "" && (declared == "PEM") != (s.kind == "PEM") {
		return s, fmt.Errorf("%s: %s says %s, but %s is %s", location, typ, declared, s.where, s.kind)
	}
	return s, nil
}

// fail says what is wrong with the store.
func (s store) fail(err error) error {
	if errors.Is(err, pkcs12.ErrIncorrectPassword) || errors.Is(err, errJKSPassword) {
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
	decode := pkcs12.DecodeTrustStore
	if s.kind == "JKS" {
		decode = jksTrusted
	}
	certs, err := decode(s.raw, s.password)
	if err != nil {
		return nil, s.fail(err)
	}
	return certs, nil
}

// pair is our own certificate with its chain and key.
func (s store) pair() (tls.Certificate, error) {
	if s.kind == "PEM" {
		c, err := pemPair(string(s.raw), string(s.raw), cmp.Or(s.keyPassword, s.password))
		if err != nil {
			return c, s.fail(err)
		}
		return c, nil
	}
	var key any
	var chain []*x509.Certificate
	var err error
	if s.kind == "JKS" {
		key, chain, err = jksPair(s.raw, s.password, cmp.Or(s.keyPassword, s.password))
	} else {
		var leaf *x509.Certificate
		key, leaf, chain, err = pkcs12.DecodeChain(s.raw, s.password)
		chain = append([]*x509.Certificate{leaf}, chain...)
	}
	if err != nil {
		return tls.Certificate{}, s.fail(err)
	}
	c, err := pair(key, chain)
	if err != nil {
		return c, s.fail(err)
	}
	return c, nil
}

var errJKSPassword = errors.New("the password is not that of the store")

// jks opens a JKS store. Without a password nobody checks that it is whole, as in Java: the digest comes last, after all entries.
func jks(raw []byte, password string) (keystore.KeyStore, error) {
	s := keystore.New(keystore.WithOrderedAliases())
	err := s.Load(bytes.NewReader(raw), []byte(password))
	if err != nil && err.Error() == "got invalid digest" {
		if err = errJKSPassword; password == "" {
			err = nil
		}
	}
	return s, err
}

func jksTrusted(raw []byte, password string) ([]*x509.Certificate, error) {
	s, err := jks(raw, password)
	if err != nil {
		return nil, err
	}
	var out []*x509.Certificate
	for _, alias := range s.Aliases() {
		if !s.IsTrustedCertificateEntry(alias) {
			continue
		}
		entry, err := s.GetTrustedCertificateEntry(alias)
		if err != nil {
			return nil, err
		}
		c, err := x509.ParseCertificate(entry.Certificate.Content)
		if err != nil {
			return nil, fmt.Errorf("certificate %s cannot be read: %w", alias, err)
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, errors.New("it holds no trusted certificate")
	}
	return out, nil
}

// jksPair is the first key of a store, with its chain.
func jksPair(raw []byte, password, keyPassword string) (any, []*x509.Certificate, error) {
	s, err := jks(raw, password)
	if err != nil {
		return nil, nil, err
	}
	for _, alias := range s.Aliases() {
		if !s.IsPrivateKeyEntry(alias) {
			continue
		}
		entry, err := s.GetPrivateKeyEntry(alias, []byte(keyPassword))
		if err != nil {
			return nil, nil, fmt.Errorf("key %s cannot be read: %w; where it has a password of its own, that goes into %s", alias, err, keyKeyPass)
		}
		key, err := x509.ParsePKCS8PrivateKey(entry.PrivateKey)
		if err != nil {
			return nil, nil, fmt.Errorf("key %s cannot be read: %w", alias, err)
		}
		var chain []*x509.Certificate
		for _, c := range entry.CertificateChain {
			cert, err := x509.ParseCertificate(c.Content)
			if err != nil {
				return nil, nil, fmt.Errorf("the certificate of key %s cannot be read: %w", alias, err)
			}
			chain = append(chain, cert)
		}
		if len(chain) == 0 {
			return nil, nil, fmt.Errorf("key %s has no certificate", alias)
		}
		return key, chain, nil
	}
	return nil, nil, errors.New("it holds no private key")
}

func pemPair(chain, key, password string) (tls.Certificate, error) {
	certs, err := certificates(chain)
	if err != nil {
		return tls.Certificate{}, err
	}
	k, err := privateKey(key, password)
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
		if strings.Contains(body, "ENCRYPTED") {
			return nil, errOldEncryption
		}
		der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(body), ""))
		if err != nil {
			return nil, errors.New("the PEM block " + kind + " is damaged: it is not base64")
		}
		out = append(out, &pem.Block{Type: kind, Bytes: der})
		s = rest
	}
}

var errOldEncryption = errors.New("the private key is encrypted in a form that Kafka does not read either; convert it with: openssl pkcs8 -topk8 -in key.pem -out key8.pem")

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

// privateKey is the first private key of PEM text; password is that of an encrypted one.
func privateKey(s, password string) (any, error) {
	blocks, err := pemBlocks(s)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		var key any
		switch b.Type {
		case "PRIVATE KEY":
			key, err = x509.ParsePKCS8PrivateKey(b.Bytes)
		case "ENCRYPTED PRIVATE KEY":
			if password == "" {
				return nil, errors.New("the private key is encrypted; its password goes into " + keyKeyPass)
			}
			if key, err = pkcs8.ParsePKCS8PrivateKey(b.Bytes, []byte(password)); err != nil {
				return nil, fmt.Errorf("the private key cannot be decrypted with %s: %w", keyKeyPass, err)
			}
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
