package rest

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"strings"
)

// Barred says in a line why a worker lets nobody in from here, and what to do: logins and certificates stand in a context.
// "" where an error is something else.
func Barred(err error) string {
	switch StatusOf(err) {
	case http.StatusUnauthorized:
		return "401: set a login in the context: rest.user and rest.password-env, or rest.token-env"
	case http.StatusForbidden:
		return "403: this login may not: set another in the context: rest.user, or rest.token-env"
	}
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var alert tls.AlertError
	var plain tls.RecordHeaderError
	switch text := words(err); {
	case errors.As(err, &authority):
		return "its certificate is signed by nobody known here: set rest.ca in the context"
	case errors.As(err, &name):
		return "its certificate is for another name: set rest.map to that name, or rest.any-host, in the context"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired, or this clock is wrong"
	case errors.As(err, &invalid):
		return "its certificate is not valid: " + invalid.Error()
	case strings.Contains(text, "certificate required"), strings.Contains(text, "bad certificate"), strings.Contains(text, "unknown certificate authority"):
		return "it wants a certificate of ours, or another one: set rest.cert and rest.key in the context"
	case errors.As(err, &alert):
		return "it refuses TLS as spoken here: " + alert.Error()
	case errors.As(err, &plain), strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return "it speaks plain http where https is asked: check rest.urls and rest.map in the context"
	case strings.Contains(text, "malformed HTTP response \"\\x15\\x03"):
		return "it speaks https where http is asked: check rest.urls and rest.map in the context"
	}
	return ""
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
