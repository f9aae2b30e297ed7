/** How do instances exchange news through MongoDB? */
@NullMarked
package dev.sluice.internal.store.mongo.news;

import org.jspecify.annotations.NullMarked;
