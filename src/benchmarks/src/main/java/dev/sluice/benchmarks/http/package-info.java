/** What is the cost of a filter in an HTTP server? */
package dev.sluice.benchmarks.http;
