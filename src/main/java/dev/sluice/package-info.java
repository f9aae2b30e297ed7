/**
 * What is asked and answered for one call? A {@link dev.sluice.RateLimiter} takes a {@link dev.sluice.Call} and returns
 * a {@link dev.sluice.Decision}. Here too are the contracts that an application may implement, such as
 * {@link dev.sluice.SubjectResolver} and {@link dev.sluice.CostResolver}. Every package but {@code tier} may use this
 * one. It uses {@code tier} and the JDK only, and it creates nothing; {@code dev.sluice.config} does.
 */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
