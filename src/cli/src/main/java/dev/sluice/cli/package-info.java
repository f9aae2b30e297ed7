/**
 * What would this file do? The command line checks a file, explains one request, runs a sandbox for a file, rehearses
 * and imports files, and compares algorithms. It also sets and monitors limits of individual clients. Each command is a
 * thin layer over the real loader, limiter and filter, and adds no rules about files or limits. {@code check},
 * {@code serve} and {@code hash} are classes in this package. The other commands have their own packages. They share
 * {@code fleet}, {@code sandbox}, {@code command} and {@code output}.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
