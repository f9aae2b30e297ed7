/** What do all commands share? Sources of files, options, checks of arguments, exit codes and failures. */
@NullMarked
package dev.sluice.cli.command;

import org.jspecify.annotations.NullMarked;
