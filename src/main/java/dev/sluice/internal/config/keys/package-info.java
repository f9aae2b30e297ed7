/**
 * What do the keys of the file say? Reads endpoints, clients, the store and responses into the values that the limiter
 * takes. Called by {@code file}, which puts the whole file together; may call {@code tier}, {@code caller}, {@code shape}
 * and {@code yaml}, and {@code match}, and {@code store} to check a URI.
 */
@NullMarked
package dev.sluice.internal.config.keys;

import org.jspecify.annotations.NullMarked;
