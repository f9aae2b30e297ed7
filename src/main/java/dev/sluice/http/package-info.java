/**
 * What does a server do that Sluice has no filter for? {@link dev.sluice.http.Answers} tells what its answers say of a
 * decision. It may call the folder {@code reply} below and the words.
 */
@NullMarked
package dev.sluice.http;

import org.jspecify.annotations.NullMarked;
