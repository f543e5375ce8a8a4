//go:build kafka && unix

package test

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// Blocking is the class of the rig's own connector, which hangs where its configuration says.
const Blocking = "regroup.test.BlockingConnector"

// plugins gives a folder for plugin.path with the rig's own connectors, compiled once a machine against the jars of a worker.
func plugins(ctx context.Context, libs string) (string, error) {
	const name = "BlockingConnector.java"
	java := source("kafka", "src", "regroup", "test", name)
	text, err := os.ReadFile(java)
	if err != nil {
		return "", fmt.Errorf("plugins: %w", err)
	}
	cache, err := cacheFolder()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, fmt.Sprintf("plugins-%08x", crc32.ChecksumIEEE(append(text, Blocking...))))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	part, err := os.MkdirTemp(cache, "part-")
	if err != nil {
		return "", fmt.Errorf("plugins: %w", err)
	}
	defer os.RemoveAll(part)
	// A folder within plugin.path that holds classes is one plugin. Workers of 2.x scan no classes newer than Java 11's; from 3.6
	// on they read in a file what there is.
	classes := filepath.Join(part, "blocking")
	javac := exec.CommandContext(ctx, "javac", "--release", "11", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", classes,
		"-cp", filepath.Join(libs, "*"), java)
	if said, err := javac.CombinedOutput(); err != nil {
		return "", fmt.Errorf("plugins: javac: %w (a JDK has to be on the path)\n%s", err, said)
	}
	services := filepath.Join(classes, "META-INF", "services")
	if err := os.MkdirAll(services, 0o755); err != nil {
		return "", fmt.Errorf("plugins: %w", err)
	}
	if err := os.WriteFile(filepath.Join(services, "org.apache.kafka.connect.sink.SinkConnector"), []byte(Blocking+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("plugins: %w", err)
	}
	if err := os.Rename(part, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("plugins: %w", err)
	}
	return dir, nil
}
