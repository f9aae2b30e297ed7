/**
 * Where does the text of a file come from? It comes from a file path or a class path resource, and is read within
 * bounds ({@link dev.sluice.internal.config.source.SourceContent}).
 */
@NullMarked
package dev.sluice.internal.config.source;

import org.jspecify.annotations.NullMarked;
