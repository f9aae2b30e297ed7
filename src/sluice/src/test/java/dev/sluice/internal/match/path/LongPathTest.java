package dev.sluice.internal.match.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A long odd path is read in one pass for each reading. Memory shows that as well as time does, and is the same each
 * time: a text for each segment, list after list, takes three times as much and more.
 */
class LongPathTest {

    private static final int LONGEST_PATH = 8_192;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(strings = {"/%5c%2f;", "/%20%5c%2f;", "/%2e%2e/a", "\\a", "//", "/a;b"})
    void takesFewBytesForEachCharacter(String part) {
        String path = "/" + part.repeat(LONGEST_PATH / part.length());
        PathReadings.of(path); // loads classes
        long before = threads.getCurrentThreadAllocatedBytes();
        int readings = PathReadings.of(path).size();
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(bytes / path.length())
                .as("bytes for each character of %d readings", readings)
                .isLessThan(60);
    }
}
