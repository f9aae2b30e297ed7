/**
 * How does an operator observe a limiter? {@link dev.sluice.page.SluicePage} is a servlet that shows charts and tables,
 * and provides the same data as JSON. Applications map it to a path.
 */
@NullMarked
package dev.sluice.page;

import org.jspecify.annotations.NullMarked;
