/**
 * Which few of very many callers call most? {@link dev.sluice.internal.traffic.sketch.HeavyCallers} counts them in
 * bounded memory, on the threads of the calls. {@code traffic} calls this package. It may use the types of
 * {@code dev.sluice} only.
 */
@NullMarked
package dev.sluice.internal.traffic.sketch;

import org.jspecify.annotations.NullMarked;
