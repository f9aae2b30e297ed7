/**
 * What becomes of a request after the decision? It is counted once, whatever its dispatches; its end is reported once; and
 * if it has to wait for its turn, it is parked. Called by the filter and {@code reply}; it may call {@code call}.
 */
@NullMarked
package dev.sluice.internal.servlet.underway;

import org.jspecify.annotations.NullMarked;
