// Package doctor is the view of what the doctor finds: the list, and of one finding why, the evidence and what to do.
//
// What is found comes from package group/doctor. It must never know another view.
package doctor
