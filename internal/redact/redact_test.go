package redact

import (
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestCredentials tells, in testdata/credentials, what is taken out of a text and what stays.
func TestCredentials(t *testing.T) {
	datadriven.RunTest(t, "testdata/credentials", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd != "text" {
			d.Fatalf(t, "no such command")
		}
		return Text(d.Input)
	})
}

// A property is secret by its name or by what is in it; one that says where a secret lies is not.
func TestProperties(t *testing.T) {
	for name, want := range map[string]bool{
		"database.password": true, "ssl.keystore.key": true, "aws.access.key": true, "private.key": true, "connection.uri": true,
		"key.converter": false, "message.key.columns": false, "tasks.max": false, "monkey": false,
	} {
		if Name(name) != want {
			t.Errorf("%s is a secret's name: %v", name, !want)
		}
	}
	for value, want := range map[string]bool{
		"jdbc:postgresql://shop:swordfish@db/orders": true, "user=shop;password=swordfish": true, "https://host/path": false, "plain words": false,
	} {
		if Within(value) != want {
			t.Errorf("%s has a secret within: %v", value, !want)
		}
	}
	if !Reference(" ${file:/etc/secrets:password} ") || Reference("${file:x} and more") {
		t.Error("a reference is all of a value, or it is none")
	}
}
