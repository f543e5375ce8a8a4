// Package oracle asks Kafka Connect itself what a leader would decide: it runs the assignors of a released connect-runtime
// jar in a JVM and talks to them in JSON lines. It needs a JDK (11 or later) and Maven; jars and classes go to the user's
// cache folder. It knows nothing of how regroup decides: whoever compares the two brings both.
package oracle

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Version is the release that is asked when none is named.
const Version = "4.3.1"

//go:embed pom.xml src
var source embed.FS

const (
	driver = "org.apache.kafka.connect.runtime.distributed.AskLeader"
	file   = "src/org/apache/kafka/connect/runtime/distributed/AskLeader.java"
)

// Oracle is a running JVM.
type Oracle struct {
	Java string // its specification version: "17"
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	err  *bytes.Buffer
}

// Start fetches what is missing and starts the assignors of that release of Connect. They end with ctx, or by Close.
func Start(ctx context.Context, version string) (*Oracle, error) {
	dir, err := prepare(ctx, version)
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", version, err)
	}
	path := filepath.Join(dir, "classes") + string(os.PathListSeparator) + filepath.Join(dir, "libs", "*")
	o := &Oracle{cmd: exec.CommandContext(ctx, "java", "-Dlog4j2.level=OFF", "-cp", path, driver), err: new(bytes.Buffer)}
	o.cmd.Stderr = o.err
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	o.out = bufio.NewReader(out)
	if err := o.cmd.Start(); err != nil {
		return nil, fmt.Errorf("oracle %s: java: %w (a JDK has to be on the path)", version, err)
	}
	hello, err := o.Ask([]byte(`{"cmd":"hello"}`))
	if err == nil {
		err = json.Unmarshal(hello, o)
	}
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// UnmarshalJSON reads what the driver says of itself.
func (o *Oracle) UnmarshalJSON(b []byte) error {
	var hello struct {
		Java string `json:"java"`
	}
	err := json.Unmarshal(b, &hello)
	o.Java = hello.Java
	return err
}

// Ask sends one line and waits for its answer.
func (o *Oracle) Ask(line []byte) ([]byte, error) {
	if _, err := o.in.Write(append(bytes.TrimSpace(line), '\n')); err != nil {
		return nil, o.failed(err)
	}
	answer, err := o.out.ReadBytes('\n')
	if err != nil {
		return nil, o.failed(err)
	}
	return bytes.TrimSpace(answer), nil
}

func (o *Oracle) failed(err error) error {
	return fmt.Errorf("oracle: %w: %s", err, strings.TrimSpace(o.err.String()))
}

// Close ends the JVM and waits for it.
func (o *Oracle) Close() error {
	o.in.Close()
	return o.cmd.Wait()
}

// prepare gives the folder with jars and classes. It is named after what it is made from, and has its name only once it is
// whole, so that several may prepare it at once.
func prepare(ctx context.Context, version string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	java, err := source.ReadFile(file)
	if err != nil {
		return "", err
	}
	pom, err := source.ReadFile("pom.xml")
	if err != nil {
		return "", err
	}
	cache = filepath.Join(cache, "regroup-test")
	dir := filepath.Join(cache, fmt.Sprintf("oracle-%s-%08x", version, crc32.ChecksumIEEE(append(pom, java...))))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(cache, "part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	name := filepath.Join(part, filepath.Base(file))
	libs := filepath.Join(part, "libs")
	if err := errors.Join(os.WriteFile(name, java, 0o644), os.WriteFile(filepath.Join(part, "pom.xml"), pom, 0o644)); err != nil {
		return "", err
	}
	steps := [][]string{
		{"mvn", "-q", "-B", "-Dkafka.version=" + version, "dependency:copy-dependencies", "-DoutputDirectory=" + libs},
		{"javac", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", "classes", "-cp", filepath.Join(libs, "*"), name},
	}
	for _, s := range steps {
		cmd := exec.CommandContext(ctx, s[0], s[1:]...)
		cmd.Dir = part
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", s[0], err, bytes.TrimSpace(out))
		}
	}
	if err := os.Rename(part, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, nil
}
