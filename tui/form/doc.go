// Package form is a connector's form, with the whole body of the screen: its settings as a worker knows them, what is typed into them,
// what a worker and the leader would make of it, and sending it.
//
// It knows a form as package actions makes it (ConnectorForm), and gives back values: the root alone closes it, opens an editor, or asks
// whether something is sent. It must never know the model, another view, or how a worker is asked.
package form
