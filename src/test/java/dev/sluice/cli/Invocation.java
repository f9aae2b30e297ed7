package dev.sluice.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What one run of the command left behind. */
public record Invocation(int exitCode, String out, String err) {

    /** Runs the command in this JVM. */
    public static Invocation of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = command.execute(arguments);
        return new Invocation(exitCode, out.toString(), err.toString());
    }

    /** What the command does not understand of these words, without doing anything; empty if it understands all. */
    public static String misunderstood(String... arguments) {
        try {
            Main.commandLine().parseArgs(arguments);
            return "";
        } catch (CommandLine.ParameterException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
