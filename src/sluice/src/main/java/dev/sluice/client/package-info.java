/**
 * When should a refused caller retry? {@link dev.sluice.client.RetryingHttpClient} reads the headers of answers and
 * retries calls when they can pass. This package is for callers of a service, and uses only the JDK.
 */
@NullMarked
package dev.sluice.client;

import org.jspecify.annotations.NullMarked;
