package conn

import (
	"bytes"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"software.sslmate.com/src/go-pkcs12"
)

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
