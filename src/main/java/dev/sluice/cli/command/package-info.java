/**
 * What do all commands take, and how do they end? Sources of files, shared options, checks of arguments, exit codes and
 * failures. Called by every command and {@code sandbox}; may use {@code config}.
 */
@NullMarked
package dev.sluice.cli.command;

import org.jspecify.annotations.NullMarked;
