/**
 * Which definitions speak of a path? Patterns are parsed once and compiled into a trie; an odd path is read in every
 * way that servers know. Called by {@code match.caller} for the variables of a pattern, by {@code limiter} for each
 * call, by {@code config} at load and by {@code cli}; may call {@code match.text} and the words of {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.match.path;

import org.jspecify.annotations.NullMarked;
