/**
 * Which counters count a call? The compiled endpoints of one snapshot, with variants for clients with overrides. Called
 * by {@code limiter} itself; it may call {@code counter} and {@code match}.
 */
@NullMarked
package dev.sluice.internal.limiter.endpoint;

import org.jspecify.annotations.NullMarked;
