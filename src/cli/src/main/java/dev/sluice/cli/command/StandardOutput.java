package dev.sluice.cli.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/**
 * Standard output. Text for people is in the terminal's charset. A result that may become a file is in UTF-8,
 * regardless of the terminal's charset. Not thread-safe.
 */
public final class StandardOutput extends PrintWriter {

    private final PrintStream bytes;

    /**
     * Wraps a writer.
     *
     * @param terminal writes to the same stream, in the terminal's charset
     */
    public StandardOutput(PrintWriter terminal, PrintStream bytes) {
        super(terminal, true);
        this.bytes = bytes;
    }

    /** Prints the content of a file, in UTF-8 if the output is the real one. */
    public static void printFile(CommandLine command, String content) {
        PrintWriter out = command.getOut();
        out.flush();
        if (out instanceof StandardOutput standard) {
            // The text so far was flushed above, so it stays in front of these bytes.
            standard.bytes.writeBytes(content.getBytes(StandardCharsets.UTF_8));
            standard.bytes.flush();
        } else {
            out.print(content);
            out.flush();
        }
    }
}
