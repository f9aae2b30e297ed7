/**
 * Which clients are kept outside the list of the file, and which plan has each? Tables in files, and sources of the
 * application. May call {@code shape} and {@code yaml}.
 */
@NullMarked
package dev.sluice.internal.config.clients;

import org.jspecify.annotations.NullMarked;
