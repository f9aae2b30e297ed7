/**
 * Who is calling, and when does an endpoint apply? Reads {@code trustedProxies}, {@code country}, {@code subjects},
 * {@code per} and {@code when}. Called by {@code keys} and {@code config}; may call {@code shape} and {@code yaml}, and
 * builds on {@code match}.
 */
@NullMarked
package dev.sluice.internal.config.caller;

import org.jspecify.annotations.NullMarked;
