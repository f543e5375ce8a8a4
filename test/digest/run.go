package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// run runs the commands side by side and digests what they print, line by line as it comes.
func run(commands []string, out io.Writer) bool {
	lines := make(chan printed, 64)
	failed := make([]error, len(commands))
	var all sync.WaitGroup
	for i, c := range commands {
		all.Go(func() { failed[i] = follow(i, c, lines) })
	}
	go func() {
		all.Wait()
		close(lines)
	}()
	d := newDigest(out)
	for l := range lines {
		d.line(l.command, l.line)
	}
	ok := d.end()
	for i, err := range failed {
		if err != nil {
			fmt.Fprintf(out, "\n%s: %v\n", commands[i], err)
			ok = false
		}
	}
	return ok
}

// printed is a line, and the number of the command that printed it.
type printed struct {
	command int
	line    []byte
}

// follow runs one command and passes on each of its lines, errors among them.
func follow(number int, command string, lines chan<- printed) error {
	cmd := exec.Command("sh", "-c", command)
	in, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		return err
	}
	read := make(chan error, 1)
	go func() {
		s := bufio.NewScanner(in)
		s.Buffer(nil, 16<<20)
		for s.Scan() {
			lines <- printed{number, append([]byte(nil), s.Bytes()...)}
		}
		_, err := io.Copy(io.Discard, in) // after a line that is too long, the command must not wait for its reader
		if s.Err() != nil {
			err = s.Err()
		}
		read <- err
	}()
	err := cmd.Wait()
	w.Close()
	if failed := <-read; err == nil {
		err = failed
	}
	return err
}
