/** How do operators read counters and instances in MongoDB, and how does MongoDB store their overrides and blocks? */
@NullMarked
package dev.sluice.internal.store.mongo.admin;

import org.jspecify.annotations.NullMarked;
