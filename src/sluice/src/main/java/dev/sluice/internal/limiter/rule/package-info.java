/**
 * How do instances share each algorithm? For each algorithm, one file defines how the store counts and what its answers
 * mean.
 */
@NullMarked
package dev.sluice.internal.limiter.rule;

import org.jspecify.annotations.NullMarked;
