/**
 * What would this file do? The command line checks a file, explains one request, and serves a sandbox to try a file in. Each
 * command is a small main over the real loader, limiter and filter, and knows nothing of its own about files or limits.
 * Called by people; may use {@code config}, {@code servlet} and what is below them. It ships in a jar of its own.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
