/**
 * What does the limiter see of a request? The call, its path within the application, its query as containers read it, and
 * verified claims. Called by the other folders of {@code servlet}; it may call none of them.
 */
@NullMarked
package dev.sluice.servlet.call;

import org.jspecify.annotations.NullMarked;
