/**
 * How does an operator see a limiter? {@link dev.sluice.page.SluicePage} is a servlet that shows charts and tables, and
 * the same data as JSON. Applications map it.
 */
@NullMarked
package dev.sluice.page;

import org.jspecify.annotations.NullMarked;
