/**
 * What would this file do? The command line checks a file, explains one request, runs a sandbox to try a file in,
 * rehearses and imports files, compares algorithms, and sets and watches limits of single clients. Each command is a
 * thin layer over the real loader, limiter and filter, and has no rules of its own about files or limits. {@code
 * check}, {@code serve} and {@code hash} are classes of this package. The other commands have packages of their own.
 * They share {@code fleet}, {@code sandbox}, {@code command} and {@code output}.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
