/**
 * What should an operator know before setting the limit of a client? Whether it would have an effect, whether such a
 * caller was seen, and which limit it replaces. Called by {@code limits}; may use {@code fleet}, {@code command},
 * {@code text} and {@code config}.
 */
@NullMarked
package dev.sluice.cli.limits.check;

import org.jspecify.annotations.NullMarked;
