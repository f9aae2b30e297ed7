/**
 * What does the limiter see of a servlet request? The call, and its path within the application. Called by the other folders
 * of {@code servlet}; it may call none of them, and {@code http}.
 */
@NullMarked
package dev.sluice.internal.servlet.call;

import org.jspecify.annotations.NullMarked;
