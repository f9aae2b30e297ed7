package dev.sluice.cli.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/**
 * Standard output: what people read is in the terminal's charset; a result that is a file is UTF-8, whatever the
 * terminal's charset. Not thread-safe.
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

    /** Prints a result that is a file. */
    public static void printFile(CommandLine command, String content) {
        PrintWriter out = command.getOut();
        out.flush();
        if (out instanceof StandardOutput standard) {
            standard.bytes.writeBytes(content.getBytes(StandardCharsets.UTF_8));
            standard.bytes.flush();
        } else {
            out.print(content);
            out.flush();
        }
    }
}
