//go:build kafka && unix

package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// Versions of what the rig starts. Workers run 4.3.1 by default: Maven Central has no connect-file 4.4.0, and that of 4.3.1
// does not run in a worker of 4.4.0.
const (
	BrokerVersion = "4.4.0"
	WorkerVersion = "4.3.1"
)

var fetching sync.Mutex

// jars gives the folder with the jars of a pom file under kafka/, fetched once a machine.
func jars(ctx context.Context, pom, version string) (string, error) {
	fetching.Lock()
	defer fetching.Unlock()
	cache, err := cacheFolder()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, pom+"-"+version)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	// A folder has its name only once it is whole, so two test binaries may fetch at once: the second finds it there.
	part, err := os.MkdirTemp(cache, "part-")
	if err != nil {
		return "", fmt.Errorf("jars: %w", err)
	}
	defer os.RemoveAll(part)
	mvn := exec.CommandContext(ctx, "mvn", "-q", "-B", "-f", source("kafka", pom+".xml"), "-Dkafka.version="+version,
		"dependency:copy-dependencies", "-DoutputDirectory="+part)
	var said bytes.Buffer
	mvn.Stdout, mvn.Stderr = &said, &said
	if err := mvn.Run(); err != nil {
		return "", fmt.Errorf("jars of %s %s: mvn: %w\n%s", pom, version, err, &said)
	}
	if err := os.Rename(part, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("jars: %w", err)
	}
	return dir, nil
}

// cacheFolder is where jars and classes lie, for all test binaries and from run to run.
func cacheFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	cache = filepath.Join(cache, "regroup-test")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	return cache, nil
}

// workerPom names the pom of a worker's version: each line of Kafka wants another logging binding.
func workerPom(version string) string {
	major, _, _ := strings.Cut(version, ".")
	return "worker-" + major
}

// source is a path beside this file.
func source(elem ...string) string {
	_, self, _, _ := runtime.Caller(0)
	return filepath.Join(append([]string{filepath.Dir(self)}, elem...)...)
}

// java is a small JVM: brokers and workers of a test share two cores with other things.
func java(heap, classpath string, args ...string) *exec.Cmd {
	fixed := []string{
		"-Xmx" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.timezone=UTC",
		"-Dlog4j2.configurationFile=" + source("kafka", "log4j2.properties"),
		"-Dlog4j.configuration=file:" + source("kafka", "log4j.properties"),
		"-cp", filepath.Join(classpath, "*"),
	}
	return exec.Command("java", append(fixed, args...)...)
}
