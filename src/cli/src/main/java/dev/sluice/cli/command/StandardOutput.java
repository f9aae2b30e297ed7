package dev.sluice.cli.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/**
 * Standard output. Messages are written in the terminal's charset. A result that users might redirect to a file is
 * written in UTF-8, regardless of the terminal's charset. Not thread-safe.
 */
public final class StandardOutput extends PrintWriter {

    private final PrintStream bytes;

    /**
     * Wraps a writer.
     *
     * @param terminal a writer to the same stream in the terminal's charset
     */
    public StandardOutput(PrintWriter terminal, PrintStream bytes) {
        super(terminal, true);
        this.bytes = bytes;
    }

    /** Prints the content of a file. If the output is the real standard output, the content is in UTF-8. */
    public static void printFile(CommandLine command, String content) {
        PrintWriter out = command.getOut();
        out.flush();
        if (out instanceof StandardOutput standard) {
            // The text printed so far was flushed above, so it precedes these bytes.
            standard.bytes.writeBytes(content.getBytes(StandardCharsets.UTF_8));
            standard.bytes.flush();
        } else {
            out.print(content);
            out.flush();
        }
    }
}
