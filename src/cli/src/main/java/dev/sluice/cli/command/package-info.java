/**
 * What do all commands share? Sources of files, options, checks of arguments, exit codes and failures. Called by every
 * command and {@code sandbox}; may use {@code config}.
 */
@NullMarked
package dev.sluice.cli.command;

import org.jspecify.annotations.NullMarked;
