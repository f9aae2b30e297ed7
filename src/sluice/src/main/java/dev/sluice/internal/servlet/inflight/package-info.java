/**
 * What happens to a request after the decision? It is counted once, however often it is dispatched; its end is reported
 * once; and if it is queued, it is parked.
 */
@NullMarked
package dev.sluice.internal.servlet.inflight;

import org.jspecify.annotations.NullMarked;
