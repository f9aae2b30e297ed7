/**
 * What happens to a request after the decision? It is counted once, however often it is dispatched; its end is reported
 * once; and if it has to wait for its turn, it is parked. The filter and {@code reply} call this package. It may use
 * {@code call}.
 */
@NullMarked
package dev.sluice.internal.servlet.inflight;

import org.jspecify.annotations.NullMarked;
