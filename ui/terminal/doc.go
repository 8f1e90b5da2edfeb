// Package terminal decides who has the terminal: the screen, a command that it is lent
// to, or the shell of a program that is stopped. It restores the terminal whatever
// ends the program (Guard, Signals), and reads what the terminal can show.
package terminal
