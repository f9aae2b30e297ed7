/**
 * Which clients are defined outside the limits file, and which plan does each of them have? Such clients come from
 * tables in other files and from the application's client sources.
 */
@NullMarked
package dev.sluice.internal.config.clients;

import org.jspecify.annotations.NullMarked;
