/**
 * What will the imported file contain? A draft collects the endpoints. It also collects remarks about settings that
 * have a different meaning here or cannot be expressed. The result is a {@code rate-limits.yml} that can be loaded.
 */
@NullMarked
package dev.sluice.cli.imports.draft;

import org.jspecify.annotations.NullMarked;
