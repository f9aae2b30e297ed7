package dev.sluice.cli;

import dev.sluice.cli.command.StandardOutput;
import dev.sluice.cli.compare.Compare;
import dev.sluice.cli.explain.Explain;
import dev.sluice.cli.imports.ImportCommand;
import dev.sluice.cli.limits.LimitsCommand;
import dev.sluice.cli.rehearse.Rehearse;
import dev.sluice.cli.top.Top;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The {@code sluice} command. Its subcommands are {@link Check}, {@link Serve}, {@link Hash}, and the commands in the
 * subpackages.
 */
@Command(
        name = "sluice",
        description = "Checks, tests, rehearses and operates the limits in a rate-limits.yml.",
        subcommands = {
            Check.class,
            Explain.class,
            Serve.class,
            Compare.class,
            Rehearse.class,
            ImportCommand.class,
            LimitsCommand.class,
            Top.class,
            Hash.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        scope = ScopeType.INHERIT,
        usageHelpAutoWidth = true)
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    Main() {}

    /**
     * Runs a command, and ends the JVM with the command's exit code: 0 for success, 1 for a failure, 2 for wrong usage,
     * or another code from {@code ExitCodes}.
     */
    public static void main(String[] arguments) {
        CommandLine command = commandLine();
        // We write a file's content to the real standard output as bytes. Tests set a writer instead, and a writer
        // cannot accept bytes.
        command.setOut(new StandardOutput(command.getOut(), System.out));
        System.exit(command.execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                // A client name or a path can start with @. By default, picocli would treat such an argument as the
                // name of a file with further arguments.
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(ErrorLines::usage)
                .setExecutionExceptionHandler(ErrorLines::failure);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "name a command: check, explain, serve, compare, rehearse, import, limits, top or hash");
    }

    /** Reads the version from the jar. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String built = Main.class.getPackage().getImplementationVersion();
            return new String[] {"sluice " + Objects.requireNonNullElse(built, "(not built as a jar)")};
        }
    }
}
