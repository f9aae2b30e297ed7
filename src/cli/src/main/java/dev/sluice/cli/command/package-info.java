/**
 * What do all commands share? Options, argument checks, sources and outputs, the connection to a store, and exit codes.
 */
@NullMarked
package dev.sluice.cli.command;

import org.jspecify.annotations.NullMarked;
