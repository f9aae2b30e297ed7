/**
 * Where can people try a file with real requests? In a server that runs the rate limit filter, with an application
 * behind it that answers as each request asks.
 */
@NullMarked
package dev.sluice.cli.sandbox;

import org.jspecify.annotations.NullMarked;
