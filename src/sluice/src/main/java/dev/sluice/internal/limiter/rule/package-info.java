/**
 * How do instances share each algorithm? A file for each algorithm says how the store counts, and what its answers
 * mean.
 */
@NullMarked
package dev.sluice.internal.limiter.rule;

import org.jspecify.annotations.NullMarked;
