/**
 * How is a request read, whichever server received it? This package reads the text of headers, queries, and claims of
 * verified tokens, and finds paths that lead out of an application.
 */
@NullMarked
package dev.sluice.internal.http.request;

import org.jspecify.annotations.NullMarked;
