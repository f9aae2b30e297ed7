package dev.sluice.benchmarks.trouble;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A long play. */
final class Soak {
    Soak(Duration length, long seed, Path logs) {}
    boolean play() throws IOException { return true; }
}
