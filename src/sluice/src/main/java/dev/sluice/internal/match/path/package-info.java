/**
 * Which endpoints match a path? Patterns are parsed once and compiled into a trie; an unusual path is matched in every
 * reading that servers know.
 */
@NullMarked
package dev.sluice.internal.match.path;

import org.jspecify.annotations.NullMarked;
