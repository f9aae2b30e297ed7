/**
 * What should an operator know before the limit of a client is set? Whether it would change anything, whether such a
 * caller was seen, and which limit it replaces. Called by {@code limits}; may use {@code fleet}, {@code command},
 * {@code text} and {@code config}.
 */
@NullMarked
package dev.sluice.cli.limits.check;

import org.jspecify.annotations.NullMarked;
