/**
 * What happens to a request after the decision? It is counted once, however often it is dispatched; its end is reported
 * once; and a queued request is parked, so that it holds no thread.
 */
@NullMarked
package dev.sluice.internal.servlet.inflight;

import org.jspecify.annotations.NullMarked;
