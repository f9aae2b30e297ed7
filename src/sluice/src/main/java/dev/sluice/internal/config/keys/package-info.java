/**
 * What do the keys of the file say? Turns endpoints, clients, the store and responses into values for the limiter.
 * Called by {@code file}, which puts the whole file together; may call {@code tier}, {@code caller}, {@code shape},
 * {@code yaml}, {@code match}, and {@code store} to check a URI.
 */
@NullMarked
package dev.sluice.internal.config.keys;

import org.jspecify.annotations.NullMarked;
