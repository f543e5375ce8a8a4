// Package rest speaks the REST API of Connect workers: paths escaped, answers typed, errors told apart.
//
// It knows the API of 2.3 to 4.x and what each call needs. It must never know Kafka's own protocol, a group's rounds, or a
// screen, and it decides nothing: whether an answer is trouble is its caller's to say.
package rest
