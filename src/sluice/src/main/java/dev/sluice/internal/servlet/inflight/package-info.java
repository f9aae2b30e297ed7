/**
 * What happens to a request after the decision? This package ensures that a request is counted once, regardless of the
 * number of dispatches, and that its end is reported once. It also parks queued requests, so that they hold no thread.
 */
@NullMarked
package dev.sluice.internal.servlet.inflight;

import org.jspecify.annotations.NullMarked;
