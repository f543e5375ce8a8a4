package conn

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"
)

// dialer opens connections, with TLS where the settings have it. The time covers the handshake too: to a port that does not
// speak TLS a client would else wait for ever, since the server waits for the rest of what it takes for a huge request.
func (s Settings) dialer(limit time.Duration) func(context.Context, string, string) (net.Conn, error) {
	plain := net.Dialer{Timeout: limit}
	if s.TLS == nil {
		return plain.DialContext
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		raw, err := plain.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		cfg := s.TLS.Config.Clone()
		if cfg.ServerName == "" {
			if cfg.ServerName, _, err = net.SplitHostPort(addr); err != nil {
				return nil, errors.Join(err, raw.Close())
			}
		}
		shake, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		c := tls.Client(raw, cfg)
		if err := c.HandshakeContext(shake); err != nil {
			raw.Close()
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, &handshakeError{err}
		}
		return c, nil
	}
}

// handshakeError is a TLS handshake that failed. One that took too long is worth another try, and the Kafka client asks for
// Temporary to know.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return "tls handshake: " + e.err.Error() }

func (e *handshakeError) Unwrap() error { return e.err }

func (e *handshakeError) Timeout() bool { return errors.Is(e.err, context.DeadlineExceeded) }

func (e *handshakeError) Temporary() bool { return e.Timeout() }
