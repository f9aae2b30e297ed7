/**
 * Readers can copy the snippets of the README, the pages and the examples, because each of them is loaded, compiled or
 * run here.
 */
@NullMarked
package dev.sluice.snippets;

import org.jspecify.annotations.NullMarked;
