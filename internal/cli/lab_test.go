package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"regroup/internal/lab"
	"regroup/internal/lab/labtest"
)

// startLab gives a script a group of its own: lab [workers=N] [NAME=TASKS...]. $LAB is its broker; $REST a way to one of its
// workers on which every call is written into the file wire, as METHOD path.
func startLab(ts *testscript.TestScript, neg bool, args []string) {
	opt := labtest.Options()
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		n, err := strconv.Atoi(value)
		if neg || err != nil {
			ts.Fatalf("usage: lab [workers=N] [NAME=TASKS...]")
		}
		if name == "workers" {
			opt.Workers = n
		} else {
			opt.Connectors = append(opt.Connectors, lab.Connector{Name: name, Tasks: n, Config: map[string]string{"topics": name, "connection.password": "hunter2"}})
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	l, err := lab.Start(ctx, opt)
	ts.Check(err)
	ts.Defer(func() { ts.Check(l.Close()) })
	ts.Check(l.Ready(ctx))
	ts.Setenv("LAB", l.Brokers()[0])
	ts.Setenv("REST", wire(ts, l.Workers()[0].URL))
}

// wire passes calls on to a worker, and notes them.
func wire(ts *testscript.TestScript, to string) string {
	worker, err := url.Parse(to)
	ts.Check(err)
	proxy := httputil.NewSingleHostReverseProxy(worker)
	var mu sync.Mutex
	log := ts.MkAbs("wire")
	ts.Check(os.WriteFile(log, nil, 0o600))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = fmt.Fprintln(f, r.Method, r.URL.EscapedPath())
			err = errors.Join(err, f.Close())
		}
		mu.Unlock()
		if err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	ts.Defer(s.Close)
	return s.URL
}
