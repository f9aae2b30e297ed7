/**
 * Which definitions speak of a call, and who is calling? Path patterns are parsed once and compiled into a trie; subjects
 * are found by chains of sources. Called by {@code limiter} for each call and by {@code config} at load; may use the words
 * of {@code dev.sluice} only.
 */
@NullMarked
package dev.sluice.match;

import org.jspecify.annotations.NullMarked;
