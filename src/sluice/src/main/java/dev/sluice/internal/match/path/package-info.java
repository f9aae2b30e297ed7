/**
 * Which endpoints match a path? Patterns are parsed once and compiled into a trie. An unusual path is matched in all
 * its possible interpretations.
 */
@NullMarked
package dev.sluice.internal.match.path;

import org.jspecify.annotations.NullMarked;
