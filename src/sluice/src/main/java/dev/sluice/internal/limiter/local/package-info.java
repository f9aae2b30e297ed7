/**
 * How does a process count calls without coordinating with other instances? This package contains one class for each
 * way of counting.
 */
@NullMarked
package dev.sluice.internal.limiter.local;

import org.jspecify.annotations.NullMarked;
