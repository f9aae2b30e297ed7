/**
 * When should a refused caller retry? {@link dev.sluice.client.RetryingHttpClient} reads the headers of answers and
 * retries calls when they can pass. For callers of a service, not for the service itself: it uses only the JDK, and
 * nothing else uses it.
 */
@NullMarked
package dev.sluice.client;

import org.jspecify.annotations.NullMarked;
