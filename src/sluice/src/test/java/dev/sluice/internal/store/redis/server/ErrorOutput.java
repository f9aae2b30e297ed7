package dev.sluice.internal.store.redis.server;

import dev.sluice.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is written to the standard error output meanwhile, where tests log. */
public final class ErrorOutput implements AutoCloseable {

    private final PrintStream console = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    public ErrorOutput() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    public List<String> lines() {
        return written.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** Waits until something is written. */
    public void await(String text) {
        Eventually.await(
                () -> '"' + text + "\" in what is written: " + lines(),
                () -> written.toString(StandardCharsets.UTF_8).contains(text));
    }

    @Override
    public void close() {
        System.setErr(console);
    }
}
