/**
 * Who is calling, and when does an endpoint apply? This package reads {@code trustedProxies}, {@code country},
 * {@code subjects}, {@code per} and {@code when}.
 */
@NullMarked
package dev.sluice.internal.config.caller;

import org.jspecify.annotations.NullMarked;
