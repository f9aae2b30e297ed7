/**
 * Where can users try a file with real requests? This package runs a server with the rate limit filter in front of an
 * application that responds as each request specifies.
 */
@NullMarked
package dev.sluice.cli.sandbox;

import org.jspecify.annotations.NullMarked;
