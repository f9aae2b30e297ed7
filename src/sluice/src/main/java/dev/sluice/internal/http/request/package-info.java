/**
 * How is a request read, whichever server received it? Text of headers, queries, paths that lead out of an application,
 * and claims of verified tokens.
 */
@NullMarked
package dev.sluice.internal.http.request;

import org.jspecify.annotations.NullMarked;
