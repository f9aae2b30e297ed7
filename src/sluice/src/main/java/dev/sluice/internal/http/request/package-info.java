/**
 * How is a request read, regardless of the server that received it? This package reads header values, queries and the
 * claims of verified tokens, and recognises paths that lead out of an application.
 */
@NullMarked
package dev.sluice.internal.http.request;

import org.jspecify.annotations.NullMarked;
