//go:build kafka && unix

package test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Secured is a Rig whose broker has a second listener, on which users log in and may do what ACLs allow. Workers, and the tests
// themselves, use the first, where everybody is a super user.
type Secured struct {
	*Rig
	Login string // address of the second listener

	admin *kadm.Client
	files string // folder of the users' properties
}

const securedProperties = `
listeners=PLAINTEXT://127.0.0.1:%%[1]d,CONTROLLER://127.0.0.1:%%[2]d,LOGIN://127.0.0.1:%[1]d
advertised.listeners=PLAINTEXT://127.0.0.1:%%[1]d,LOGIN://127.0.0.1:%[1]d
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,LOGIN:SASL_PLAINTEXT
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
listener.name.login.sasl.enabled.mechanisms=PLAIN
listener.name.login.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required%[2]s;
`

// StartSecured starts a broker for a test, on which these users can log in with PLAIN, and ends it with the test. No user has
// any right.
func StartSecured(t testing.TB, users ...string) *Secured {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	var logins strings.Builder
	for _, u := range users {
		fmt.Fprintf(&logins, " user_%s=%q", u, passwordOf(u))
	}
	rig, err := newRig(fmt.Sprintf(securedProperties, port, logins.String()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rig.close(t.Failed(), t.Logf) })
	return &Secured{Rig: rig, Login: fmt.Sprintf("127.0.0.1:%d", port), admin: kadm.NewClient(rig.client(t)), files: t.TempDir()}
}

func passwordOf(user string) string { return user + "-secret" }

// As are the flags with which a command logs in as a user.
func (s *Secured) As(t testing.TB, user string) []string {
	t.Helper()
	return s.With(t, "PLAIN", user, passwordOf(user))
}

// With are the flags with which a command logs in.
func (s *Secured) With(t testing.TB, mechanism, user, password string) []string {
	t.Helper()
	module := "org.apache.kafka.common.security.plain.PlainLoginModule"
	if mechanism != "PLAIN" {
		module = "org.apache.kafka.common.security.scram.ScramLoginModule"
	}
	escapes := strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`) // once for a properties file, once for JAAS
	quote := func(s string) string { return `"` + escapes.Replace(s) + `"` }
	text := fmt.Sprintf("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=%s\nsasl.jaas.config=%s required username=%s password=%s;\n",
		mechanism, module, quote(user), quote(password))
	f, err := os.CreateTemp(s.files, "*.properties")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return []string{"-b", s.Login, "--command-config", filepath.Join(s.files, filepath.Base(f.Name()))}
}

// Right is an operation on one resource, or on all whose names begin so.
type Right struct {
	Operation kadm.ACLOperation
	Kind      kmsg.ACLResourceType
	Name      string // ends in * when it is a prefix
}

func (r Right) acl(user string) *kadm.ACLBuilder {
	b := kadm.NewACLs().Allow("User:" + user).AllowHosts("*").Operations(r.Operation).ResourcePatternType(kadm.ACLPatternLiteral)
	name, prefixed := strings.CutSuffix(r.Name, "*")
	if prefixed {
		b.ResourcePatternType(kadm.ACLPatternPrefixed)
	}
	switch r.Kind {
	case kmsg.ACLResourceTypeCluster:
		return b.Clusters()
	case kmsg.ACLResourceTypeGroup:
		return b.Groups(name)
	default:
		return b.Topics(name)
	}
}

// Grant gives a user rights.
func (s *Secured) Grant(t testing.TB, user string, rights ...Right) {
	t.Helper()
	for _, r := range rights {
		got, err := s.admin.CreateACLs(t.Context(), r.acl(user))
		if err == nil && len(got) != 1 {
			err = fmt.Errorf("%d ACLs", len(got))
		}
		if err == nil {
			err = got[0].Err
		}
		if err != nil {
			t.Fatalf("%s: %+v: %v", user, r, err)
		}
	}
}

// Revoke takes rights from a user that were granted just so.
func (s *Secured) Revoke(t testing.TB, user string, rights ...Right) {
	t.Helper()
	for _, r := range rights {
		got, err := s.admin.DeleteACLs(t.Context(), r.acl(user))
		if err == nil && (len(got) != 1 || len(got[0].Deleted) != 1) {
			err = fmt.Errorf("not one ACL: %+v", got)
		}
		if err == nil {
			err = got[0].Err
		}
		if err != nil {
			t.Fatalf("%s: %+v: %v", user, r, err)
		}
	}
}
