/**
 * What should an operator know before setting the limit of a client? Whether the limit would have an effect, whether
 * such a caller was seen, and which limit it replaces.
 */
@NullMarked
package dev.sluice.cli.limits.check;

import org.jspecify.annotations.NullMarked;
