/** How do we reach MongoDB, what time is it there, and what does a failure mean? */
@NullMarked
package dev.sluice.internal.store.mongo.connection;

import org.jspecify.annotations.NullMarked;
