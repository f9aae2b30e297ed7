/** How is MongoDB reached, what is its time, and what does a failure mean? */
@NullMarked
package dev.sluice.internal.store.mongo.link;

import org.jspecify.annotations.NullMarked;
