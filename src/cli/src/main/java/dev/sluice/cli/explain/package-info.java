/**
 * Which endpoints match this call, which counters count it, and what is the response? {@code sluice explain} sends one
 * call through a real server, filter and limiter.
 */
@NullMarked
package dev.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
