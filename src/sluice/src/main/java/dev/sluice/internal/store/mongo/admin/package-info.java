/** How do operators read counters and instances in MongoDB, and how are overrides and blocks stored there? */
@NullMarked
package dev.sluice.internal.store.mongo.admin;

import org.jspecify.annotations.NullMarked;
