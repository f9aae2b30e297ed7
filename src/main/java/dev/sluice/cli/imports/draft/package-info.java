/**
 * What will the imported file say? A reader of a format makes a draft, with remarks on what it assumed for each limit or
 * could not express; paths of another notation become our patterns. The draft is written as a {@code rate-limits.yml} that loads. Called by the readers of the
 * formats and the command; may use {@code config}.
 */
@NullMarked
package dev.sluice.cli.imports.draft;

import org.jspecify.annotations.NullMarked;
