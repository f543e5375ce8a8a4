package conn

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"regexp"
	"strings"
)

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
