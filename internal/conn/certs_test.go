package conn_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pavlo-v-chernykh/keystore-go/v4"
	"github.com/youmark/pkcs8"

	"software.sslmate.com/src/go-pkcs12"
)

// authority signs certificates for a test.
type authority struct {
	t    testing.TB
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t testing.TB, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, key.Public(), key)
	must(t, err)
	cert, err := x509.ParseCertificate(der)
	must(t, err)
	return &authority{t, cert, key}
}

// leaf is a certificate for a broker at these addresses, or for a client.
func (a *authority) leaf(name string, expires time.Duration, hosts ...string) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(a.t, err)
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(expires), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			tmpl.IPAddresses = append(tmpl.IPAddresses, ip)
		} else {
			tmpl.DNSNames = append(tmpl.DNSNames, h)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, a.cert, key.Public(), a.key)
	must(a.t, err)
	cert, err := x509.ParseCertificate(der)
	must(a.t, err)
	return cert, key
}

// serve is a broker's side of TLS.
func (a *authority) serve(expires time.Duration, hosts ...string) *tls.Config {
	cert, key := a.leaf("broker", expires, hosts...)
	return &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key, Leaf: cert}},
	}
}

// clientCertificates lets a broker ask for a certificate of this authority.
func (a *authority) clientCertificates(cfg *tls.Config) *tls.Config {
	cfg.ClientAuth, cfg.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
	cfg.ClientCAs.AddCert(a.cert)
	return cfg
}

func (a *authority) pem() []byte { return pemOf("CERTIFICATE", a.cert.Raw) }

func pemOf(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func pemKey(t testing.TB, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	return pemOf("PRIVATE KEY", der)
}

// writeStores fills a folder with the kinds of store that people have.
func writeStores(t testing.TB, dir string, a *authority) {
	t.Helper()
	cert, key := a.leaf("regroup-client", time.Hour)
	_, other := a.leaf("other", time.Hour)
	certPEM, keyPEM := pemOf("CERTIFICATE", cert.Raw), pemKey(t, key)
	sec1, err := x509.MarshalECPrivateKey(key)
	must(t, err)
	trust, err := pkcs12.Modern.EncodeTrustStore([]*x509.Certificate{a.cert}, "changeit")
	must(t, err)
	keys, err := pkcs12.Modern.Encode(key, cert, []*x509.Certificate{a.cert}, "changeit")
	must(t, err)
	sealed, err := pkcs8.MarshalPrivateKey(key, []byte("sesame"), nil)
	must(t, err)
	plain, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	trustJKS, keysJKS := keystore.New(), keystore.New()
	must(t, trustJKS.SetTrustedCertificateEntry("ca", keystore.TrustedCertificateEntry{Certificate: keystore.Certificate{Type: "X.509", Content: a.cert.Raw}}))
	must(t, keysJKS.SetPrivateKeyEntry("client", keystore.PrivateKeyEntry{
		PrivateKey: plain, CertificateChain: []keystore.Certificate{{Type: "X.509", Content: cert.Raw}},
	}, []byte("sesame")))
	jks := func(s keystore.KeyStore) []byte {
		var b bytes.Buffer
		must(t, s.Store(&b, []byte("changeit")))
		return b.Bytes()
	}
	for name, content := range map[string][]byte{
		"ca.pem":        a.pem(),
		"two-cas.pem":   append(append([]byte("# ours\n"), a.pem()...), newAuthority(t, "Second CA").pem()...),
		"client.pem":    append(bytes.Clone(keyPEM), certPEM...),
		"sec1.pem":      append(bytes.Clone(certPEM), pemOf("EC PRIVATE KEY", sec1)...),
		"mismatch.pem":  append(bytes.Clone(certPEM), pemKey(t, other)...),
		"encrypted.pem": append(bytes.Clone(certPEM), pemOf("ENCRYPTED PRIVATE KEY", sealed)...),
		"broken.pem":    certPEM[:len(certPEM)/2],
		"garbage.bin":   []byte("not a store"),
		"trust.jks":     jks(trustJKS),
		"client.jks":    jks(keysJKS),
		"broken.jks":    jks(keysJKS)[:40],
		"trust.p12":     trust,
		"client.p12":    keys,
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
