/**
 * How does an operator see a limiter? {@link dev.sluice.page.SluicePage} is a servlet with a page of charts and tables,
 * and the same as JSON. Mapped by the application; may use {@code config} and {@code traffic}. No other package uses
 * Jackson, which is an optional dependency.
 */
@NullMarked
package dev.sluice.page;

import org.jspecify.annotations.NullMarked;
