package dev.sluice.fleet;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Keeps what is logged while it is open, instead of letting it appear on the console. */
public final class LogLines implements AutoCloseable {

    private final PrintStream console = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    public LogLines() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    public List<String> all() {
        return written.toString(StandardCharsets.UTF_8).lines().toList();
    }

    public List<String> with(String words) {
        return all().stream().filter(line -> line.contains(words)).toList();
    }

    @Override
    public void close() {
        System.setErr(console);
    }
}
