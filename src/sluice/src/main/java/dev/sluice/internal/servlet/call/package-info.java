/**
 * What does the limiter see of a servlet request? This package adapts a request to a call, and determines its path
 * within the application.
 */
@NullMarked
package dev.sluice.internal.servlet.call;

import org.jspecify.annotations.NullMarked;
