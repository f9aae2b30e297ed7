/**
 * Which clients come from outside the file's list, and which plan does each of them have? They come from tables in
 * files and from sources of the application.
 */
@NullMarked
package dev.sluice.internal.config.clients;

import org.jspecify.annotations.NullMarked;
