/**
 * Which clients come from outside the file's list, and which plan has each? They come from tables in files and from
 * sources of the application.
 */
@NullMarked
package dev.sluice.internal.config.clients;

import org.jspecify.annotations.NullMarked;
