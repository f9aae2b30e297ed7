/**
 * How is a request read, regardless of the server that received it? This package reads header values, queries and the
 * claims of verified tokens. It also recognises paths that lead out of an application, and reports the outcomes of
 * login attempts.
 */
@NullMarked
package dev.sluice.internal.http.request;

import org.jspecify.annotations.NullMarked;
