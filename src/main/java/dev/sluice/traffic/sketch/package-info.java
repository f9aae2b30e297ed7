/**
 * Which few of very many callers call most? {@link dev.sluice.traffic.sketch.HeavyCallers} counts them in memory that
 * does not grow with their number, on the threads of calls. Called by {@code traffic}; may use the words only.
 */
@NullMarked
package dev.sluice.traffic.sketch;

import org.jspecify.annotations.NullMarked;
