/** How do we reach MongoDB, what time is it there, and what does a failure mean? */
@NullMarked
package dev.sluice.internal.store.mongo.link;

import org.jspecify.annotations.NullMarked;
