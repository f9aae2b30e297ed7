/**
 * What do the keys of the file say? This package turns endpoints, clients, the store and responses into values for the
 * limiter.
 */
@NullMarked
package dev.sluice.internal.config.keys;

import org.jspecify.annotations.NullMarked;
