/** How does Sluice connect to MongoDB, how does it determine the server's time, and what do failures mean? */
@NullMarked
package dev.sluice.internal.store.mongo.connection;

import org.jspecify.annotations.NullMarked;
