/**
 * Which clients are defined outside the limits file, and which plan does each of them have? They come from tables in
 * other files and from client sources of the application.
 */
@NullMarked
package dev.sluice.internal.config.clients;

import org.jspecify.annotations.NullMarked;
