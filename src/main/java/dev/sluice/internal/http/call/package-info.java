/**
 * How is a request read, whoever serves it? Text of headers, queries, paths that lead out of an application, and claims of
 * verified tokens. Called by {@code servlet}, {@code webflux} and {@code cli}; it may call {@code text}.
 */
@NullMarked
package dev.sluice.internal.http.call;

import org.jspecify.annotations.NullMarked;
