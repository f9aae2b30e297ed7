/**
 * How does a server answer if Sluice has no filter for it? {@link dev.sluice.http.Answers} renders decisions. It may
 * use {@code internal.http.reply} and {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.http;

import org.jspecify.annotations.NullMarked;
