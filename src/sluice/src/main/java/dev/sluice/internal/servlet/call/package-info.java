/** What does the limiter see of a servlet request? The call, and its path within the application. */
@NullMarked
package dev.sluice.internal.servlet.call;

import org.jspecify.annotations.NullMarked;
