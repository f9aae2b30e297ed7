/** How is a batch converted to script calls, and how are the replies to these calls combined? */
@NullMarked
package dev.sluice.internal.store.redis.script;

import org.jspecify.annotations.NullMarked;
