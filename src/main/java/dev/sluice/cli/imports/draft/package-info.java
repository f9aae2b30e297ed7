/**
 * What does an imported file say? A draft is made by the reader of a format, says of each limit what was assumed or
 * cannot be said, and is written as a {@code rate-limits.yml} that loads. Called by the readers of the formats and the
 * command; may use {@code config}.
 */
@NullMarked
package dev.sluice.cli.imports.draft;

import org.jspecify.annotations.NullMarked;
