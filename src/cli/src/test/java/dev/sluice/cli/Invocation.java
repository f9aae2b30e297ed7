package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;

/** The result of one run of the command. */
public record Invocation(int exitCode, String out, String err) {

    /** Runs the command in this JVM. */
    public static Invocation of(String... arguments) {
        return of(command -> {}, arguments);
    }

    /** The same, once the test has prepared the command. */
    public static Invocation of(Consumer<CommandLine> preparation, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine();
        preparation.accept(command);
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = command.execute(arguments);
        return new Invocation(exitCode, out.toString(), err.toString());
    }

    /** Runs the command on a store. */
    public static Invocation onStore(String uri, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--store", uri));
        return of(all.toArray(String[]::new));
    }

    /** What the command has printed; it has to have succeeded. */
    public String printed() {
        assertThat(err).isEmpty();
        assertThat(exitCode).isZero();
        return out;
    }

    /** Parses these arguments only; the complaint of the command, empty if there is none. */
    public static String misunderstood(String... arguments) {
        try {
            Main.commandLine().parseArgs(arguments);
            return "";
        } catch (CommandLine.ParameterException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
