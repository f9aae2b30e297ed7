/**
 * When does a caller who was refused come back? Reads the headers of answers, and retries calls when they can pass. It
 * is for callers of a service, not for the service: it uses nothing but the JDK, and nothing uses it.
 */
@NullMarked
package dev.sluice.client;

import org.jspecify.annotations.NullMarked;
