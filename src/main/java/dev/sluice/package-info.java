/**
 * What is asked and answered of one call? A {@link dev.sluice.Call} comes to a {@link dev.sluice.RateLimiter}, which
 * answers with a {@link dev.sluice.Decision}: which {@link dev.sluice.Endpoint} speaks, and whether the call passes.
 * Here too are the contracts that an application may fulfil, such as {@link dev.sluice.SubjectResolver} and {@link
 * dev.sluice.CostResolver}. Every package but {@code tier} may use this one; it uses {@code tier} and the JDK only,
 * and builds nothing: {@code dev.sluice.config} does.
 */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
