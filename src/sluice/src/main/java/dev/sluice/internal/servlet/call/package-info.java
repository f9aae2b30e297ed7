/**
 * What does the limiter see of a servlet request? The call, and its path within the application. The other folders of
 * {@code servlet} call this one. It may use {@code http}, and none of them.
 */
@NullMarked
package dev.sluice.internal.servlet.call;

import org.jspecify.annotations.NullMarked;
