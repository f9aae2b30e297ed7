/**
 * Which counters does a call count in? The definitions of one snapshot, compiled for everybody and for clients with
 * limits of their own. Called by {@code limiter} itself; it may call {@code counter} and {@code match}.
 */
@NullMarked
package dev.sluice.limiter.definition;

import org.jspecify.annotations.NullMarked;
