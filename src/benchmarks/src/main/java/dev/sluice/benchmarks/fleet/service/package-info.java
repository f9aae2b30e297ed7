/** What does a typical service cost in terms of Redis load, memory and time? */
@NullMarked
package dev.sluice.benchmarks.fleet.service;

import org.jspecify.annotations.NullMarked;
