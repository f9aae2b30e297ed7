/**
 * When should a refused caller retry? {@link dev.sluice.client.RetryingHttpClient} reads response headers and retries
 * calls once they can pass. This package is for callers of a service, and uses only the JDK.
 */
@NullMarked
package dev.sluice.client;

import org.jspecify.annotations.NullMarked;
