/**
 * What should be known before the limit of a client is set or removed? Whether the name would be found, whether such a
 * caller was seen, and what held before. Called by {@code limits}; may use {@code fleet}, {@code command}, {@code text}
 * and {@code config}.
 */
@NullMarked
package dev.sluice.cli.limits.check;

import org.jspecify.annotations.NullMarked;
