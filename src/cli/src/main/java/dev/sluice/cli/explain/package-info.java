/**
 * Which endpoints match this call, which counters count it, and how is it answered? {@code sluice explain} sends one
 * call through the real server, filter and limiter. Called by {@code cli}; may use {@code sandbox}, {@code command},
 * {@code text} and what is below {@code cli}.
 */
@NullMarked
package dev.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
