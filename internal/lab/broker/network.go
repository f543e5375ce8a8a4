package broker

import (
	"context"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kfake"
)

// Network is where a lab's listeners are: real sockets on loopback, or pipes in memory for tests in virtual time.
type Network struct {
	Listen func(network, address string) (net.Listener, error)
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
	// port gives the port to listen at, 0 where the system picks one.
	port func() int
}

// Loopback is 127.0.0.1, with ports that the system picks.
func Loopback() Network {
	return Network{
		Listen: net.Listen,
		Dial:   (&net.Dialer{}).DialContext,
		port:   func() int { return 0 },
	}
}

// Virtual is a network in memory; its ports count up from 9092.
func Virtual() Network {
	v := &kfake.VirtualNetwork{}
	var mu sync.Mutex
	next := 9091
	return Network{Listen: v.Listen, Dial: v.DialContext, port: func() int {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next
	}}
}

// Port gives the port to listen at.
func (n Network) Port() int { return n.port() }
