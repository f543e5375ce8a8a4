// Package conn turns what a person gives to name a Kafka cluster (flags, environment, a context, a Java properties file of a
// client or of a Connect worker) into Settings, and Settings into a Kafka client.
//
// It knows Kafka's client properties, JAAS lines, key and trust stores, and what a failed connection most likely means. It
// must never know what the client is for: groups, topics and screens are other packages' business, and nothing here asks
// the cluster more than whether it answers. A password leaves this package in one direction only, to the broker.
package conn
