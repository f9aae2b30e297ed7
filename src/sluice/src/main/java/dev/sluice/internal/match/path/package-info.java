/**
 * Which endpoints match a path? Patterns are parsed once and compiled into a trie; an unusual path is matched in
 * every reading that servers know. Called by {@code match.caller} for the variables of a pattern, by {@code limiter}
 * for each call, by {@code config} at load and by {@code cli}; may call {@code match.text} and the values of
 * {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.internal.match.path;

import org.jspecify.annotations.NullMarked;
