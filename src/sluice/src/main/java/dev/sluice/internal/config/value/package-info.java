/**
 * Which form must a value have? Here are the forms that many keys share: texts, numbers, durations and lists
 * ({@link dev.sluice.internal.config.value.Shapes}), and maps whose unknown keys are reported
 * ({@link dev.sluice.internal.config.value.Section}). This package knows no key of the file.
 */
@NullMarked
package dev.sluice.internal.config.value;

import org.jspecify.annotations.NullMarked;
