/**
 * Where can people try a file with real requests? In a server that runs the rate limit filter, with an application
 * behind it that answers as each request asks. Called by {@code cli}, for {@code serve}, and by {@code explain}; may
 * use {@code command} and {@code servlet}, and alone uses Jetty.
 */
@NullMarked
package dev.sluice.cli.sandbox;

import org.jspecify.annotations.NullMarked;
