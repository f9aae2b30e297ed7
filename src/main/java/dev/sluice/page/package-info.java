/**
 * How does an operator see a limiter? {@link dev.sluice.page.SluicePage} is a servlet with a page of charts and tables,
 * and the same as JSON. Mapped by the application; may use {@code config} and {@code traffic}.
 */
@NullMarked
package dev.sluice.page;

import org.jspecify.annotations.NullMarked;
