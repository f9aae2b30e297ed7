/**
 * When does a caller who was refused come back? Reads what answers tell of limits, and repeats calls when they can pass.
 * For the callers of a service, not for the service: it uses nothing but the JDK, and nothing uses it.
 */
@NullMarked
package dev.sluice.client;

import org.jspecify.annotations.NullMarked;
