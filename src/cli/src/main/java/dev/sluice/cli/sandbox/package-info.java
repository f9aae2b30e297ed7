/**
 * Where can people try a file with real requests? In a server that runs the rate limit filter in front of an
 * application that responds as each request specifies.
 */
@NullMarked
package dev.sluice.cli.sandbox;

import org.jspecify.annotations.NullMarked;
