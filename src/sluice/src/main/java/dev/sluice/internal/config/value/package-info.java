/**
 * Which form must a value have? This package contains the forms that many keys have in common: texts, numbers,
 * durations and lists ({@link dev.sluice.internal.config.value.Shapes}), and maps whose unknown keys are reported
 * ({@link dev.sluice.internal.config.value.Section}). It does not depend on any particular key.
 */
@NullMarked
package dev.sluice.internal.config.value;

import org.jspecify.annotations.NullMarked;
