/** How does a server without a Sluice filter respond to calls? {@link dev.sluice.http.Answers} renders decisions. */
@NullMarked
package dev.sluice.http;

import org.jspecify.annotations.NullMarked;
