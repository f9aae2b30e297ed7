/** How does a server answer if Sluice has no filter for it? {@link dev.sluice.http.Answers} renders decisions. */
@NullMarked
package dev.sluice.http;

import org.jspecify.annotations.NullMarked;
