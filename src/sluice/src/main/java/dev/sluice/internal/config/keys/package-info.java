/**
 * What do the keys of the file mean? This package converts the keys for endpoints, clients, the store and responses to
 * values for the limiter.
 */
@NullMarked
package dev.sluice.internal.config.keys;

import org.jspecify.annotations.NullMarked;
