/** How is MongoDB reached, what time is it there, and what does a trouble with it mean? */
@NullMarked
package dev.sluice.store.mongo.link;

import org.jspecify.annotations.NullMarked;
