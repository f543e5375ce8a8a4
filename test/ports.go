//go:build kafka && unix

package test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// Ports below those that Linux and macOS hand out to outgoing connections: a broker that is away for ten seconds must find
// its port free when it comes back, though everybody tries to reach it meanwhile.
const firstPort, lastPort = 20000, 32000

// claims are UDP sockets on the ports that this process has taken. Nothing speaks UDP here: they tell other test binaries
// on this machine that the port is taken, also while nobody listens on it.
var claims struct {
	sync.Mutex
	held []net.PacketConn
}

// freePort takes a port for as long as the test binary lives.
func freePort() (int, error) {
	for range 200 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		at := fmt.Sprintf("127.0.0.1:%d", port)
		claim, err := net.ListenPacket("udp4", at)
		if err != nil {
			continue
		}
		l, err := net.Listen("tcp4", at)
		if err != nil {
			claim.Close()
			continue
		}
		l.Close()
		claims.Lock()
		claims.held = append(claims.held, claim)
		claims.Unlock()
		return port, nil
	}
	return 0, fmt.Errorf("no free port between %d and %d", firstPort, lastPort)
}
