/** How does Sluice connect to MongoDB, what time is it on the server, and what does a failure mean? */
@NullMarked
package dev.sluice.internal.store.mongo.connection;

import org.jspecify.annotations.NullMarked;
