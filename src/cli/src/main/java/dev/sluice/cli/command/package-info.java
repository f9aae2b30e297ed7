/**
 * What do all commands share? This package contains common options, argument checks, sources, outputs, the connection
 * to a store, and exit codes.
 */
@NullMarked
package dev.sluice.cli.command;

import org.jspecify.annotations.NullMarked;
