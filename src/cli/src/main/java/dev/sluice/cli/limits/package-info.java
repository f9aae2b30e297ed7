/** Which clients have their own limits in the store? {@code sluice limits} sets, shows and removes such overrides. */
@NullMarked
package dev.sluice.cli.limits;

import org.jspecify.annotations.NullMarked;
