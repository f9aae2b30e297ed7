/**
 * Which form must a value have? The forms that many keys share: texts, numbers, durations, lists
 * ({@link dev.sluice.internal.config.shape.Shapes}), and maps whose unknown keys are reported
 * ({@link dev.sluice.internal.config.shape.Section}). Knows no key of the file. The folders that read keys call it; it may call
 * {@code yaml}.
 */
@NullMarked
package dev.sluice.internal.config.shape;

import org.jspecify.annotations.NullMarked;
