package conn_test

import (
	"io"
	"log"
)

// quiet takes what a server says of refused connections.
var quiet = log.New(io.Discard, "", 0)
