package worker

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"time"

	"regroup/decode"
)

// The headers that sign a request between workers (KIP-507).
const (
	signatureHeader = "X-Connect-Authorization"
	algorithmHeader = "X-Connect-Request-Signature-Algorithm"
	keyAlgorithm    = "HmacSHA256"
)

// writeKey writes a new session key. Without it others' requests are refused until the next try.
func (w *Worker) writeKey(ctx context.Context) {
	key := sessionKey{Key: make([]byte, sha256.Size), Algorithm: keyAlgorithm, Created: time.Now().UnixMilli()}
	_, _ = rand.Read(key.Key) // never fails
	_ = w.tail.write(ctx, record{"session-key", key})
}

func sign(key, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return mac.Sum(nil)
}

// signed gives the headers of a signed request.
func (w *Worker) signed(body []byte) http.Header {
	h := http.Header{}
	if key := w.configs.sessionKey(); key.Key != nil {
		h.Set(signatureHeader, base64.StdEncoding.EncodeToString(sign(key.Key, body)))
		h.Set(algorithmHeader, key.Algorithm)
	}
	return h
}

// checkSignature says what is wrong with an internal request, or nil.
func (w *Worker) checkSignature(header http.Header, body []byte) error {
	if p := w.herder.place(); p.Assignment == nil || p.Protocol != decode.ProtocolSessioned {
		return nil
	}
	signature, err := base64.StdEncoding.DecodeString(header.Get(signatureHeader))
	key := w.configs.sessionKey()
	switch {
	case header.Get(signatureHeader) == "" || err != nil:
		return failure(http.StatusBadRequest, "Internal request missing required signature")
	case header.Get(algorithmHeader) != keyAlgorithm:
		return failure(http.StatusBadRequest, "This worker does not support the '%s' key signing algorithm used by other workers.", header.Get(algorithmHeader))
	case key.Key == nil:
		return failure(http.StatusServiceUnavailable, "This worker is still starting up and has not been able to read a session key from the config topic yet")
	case !hmac.Equal(signature, sign(key.Key, body)):
		return failure(http.StatusForbidden, "Internal request contained invalid signature.")
	}
	return nil
}
