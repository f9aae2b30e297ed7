/**
 * What do the keys of the file say? Reads endpoints, clients, the store and responses into the records of the root.
 * Called by {@code config}, which puts the whole file together; may call {@code tier}, {@code caller}, {@code shape}
 * and {@code yaml}, and builds on {@code match}, and on {@code store} for what is wrong with a URI.
 */
@NullMarked
package dev.sluice.config.keys;

import org.jspecify.annotations.NullMarked;
