/** How does a batch become script calls, and how do their answers become a reply? */
@NullMarked
package dev.sluice.internal.store.redis.script;

import org.jspecify.annotations.NullMarked;
