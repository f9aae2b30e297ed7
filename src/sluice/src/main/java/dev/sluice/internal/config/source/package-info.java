/**
 * Where does the text of a file come from? A path or a resource of the class path, read within bounds
 * ({@link dev.sluice.internal.config.source.SourceContent}).
 */
@NullMarked
package dev.sluice.internal.config.source;

import org.jspecify.annotations.NullMarked;
