/**
 * How does Sluice read counters and instances in MongoDB for operators, and how does it store overrides and blocks
 * there?
 */
@NullMarked
package dev.sluice.internal.store.mongo.admin;

import org.jspecify.annotations.NullMarked;
