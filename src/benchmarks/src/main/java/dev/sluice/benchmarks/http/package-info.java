/** What does a filter cost an HTTP server? */
package dev.sluice.benchmarks.http;
