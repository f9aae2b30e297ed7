/** With very many callers, few of them active: what do memory, Redis and the active callers pay? */
@NullMarked
package dev.sluice.benchmarks.fleet.tenants;

import org.jspecify.annotations.NullMarked;
