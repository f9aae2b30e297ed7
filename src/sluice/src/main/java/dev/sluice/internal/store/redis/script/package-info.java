/** How is a batch converted to script calls, and how are their replies combined? */
@NullMarked
package dev.sluice.internal.store.redis.script;

import org.jspecify.annotations.NullMarked;
