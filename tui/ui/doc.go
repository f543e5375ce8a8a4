// Package ui is what every room draws with: styles, pieces of a line, lists with a cursor, filters, strips, boxes.
//
// It knows cells and colours. It must never know a Kafka group, a key or a view.
package ui
