package conn

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
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
		c, err := pemPair(chain, key, t.get(keyKeyPass))
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
	s.keyPassword = t.get(keyKeyPass)
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
