/**
 * What do all commands take, and how do they end? Sources of files, an option, checks of arguments, exit codes and the
 * failure that is told in one line. Called by every command and {@code sandbox}; may use {@code config}.
 */
@NullMarked
package dev.sluice.cli.command;

import org.jspecify.annotations.NullMarked;
