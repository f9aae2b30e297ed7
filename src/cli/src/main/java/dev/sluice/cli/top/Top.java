package dev.sluice.cli.top;

import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.fleet.CallerFilter;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.internal.config.value.Durations;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows periodically which callers are nearest a limit, refused most often, or blocked. */
@Command(
        name = "top",
        description = {
            "Shows every two seconds which callers are nearest their limits, refused most often, or blocked.",
            "The store is not changed. Without a terminal, the tables are printed one set after the other."
        },
        footer = {
            "",
            "For example:",
            "  sluice top --store redis://localhost:6379",
            "",
            "Stops on Ctrl+C. Exit code: 0 for success; 2 for wrong usage; 3 if there is no such endpoint; 4 if the "
                    + "store cannot be used; 1 for any other failure."
        })
public final class Top implements Runnable {

    private static final String CLEARED = "\u001b[H\u001b[2J";
    private static final int MOST_ROWS = 1000;
    private static final Duration LONGEST = Duration.ofHours(1);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServiceFileOption serviceFile = new ServiceFileOption();

    @Option(names = "--once", description = "Prints the tables once, and exits.")
    private boolean once;

    @Option(
            names = "--rows",
            paramLabel = "NUMBER",
            description = "The number of callers in each table; default: ${DEFAULT-VALUE}.",
            defaultValue = "15")
    private int rows;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            description = "How often to read the store; default: ${DEFAULT-VALUE}.",
            defaultValue = "2s")
    private String every = "";

    @Option(
            names = "--scan",
            paramLabel = "DURATION",
            description = "The maximum time for reading the counters. The tables omit counters that are not read "
                    + "by then; default: "
                    + "${DEFAULT-VALUE}.",
            defaultValue = "5s")
    private String scan = "";

    @Option(
            names = "--client",
            paramLabel = "VALUE",
            description = "Shows only callers with this subject value: acme, or tenant=acme.")
    private @Nullable String client;

    @Option(names = "--endpoint", paramLabel = "ID", description = "Shows only this endpoint.")
    private @Nullable String endpoint;

    Top() {}

    @Override
    public void run() {
        ArgumentChecks.require(
                spec.commandLine(),
                rows >= 1 && rows <= MOST_ROWS,
                "--rows " + rows + " is out of range; write a number from 1 to " + MOST_ROWS);
        Duration pause = duration("--every", every);
        Duration longest = duration("--scan", scan);
        CallerFilter filter = new CallerFilter(Optional.ofNullable(client), Optional.ofNullable(endpoint));
        try (StoreConnection open = store.open()) {
            StoreScan look = new StoreScan(open, serviceFile, filter, rows, longest);
            show(open, look.take());
            while (!once) {
                Thread.sleep(pause.toMillis());
                again(open, look);
            }
        } catch (InterruptedException e) {
            // The JVM is shutting down, for example because of Ctrl+C.
        }
    }

    /**
     * Shows the tables again. If the store is unavailable, continues, because the store might be available again the
     * next time.
     */
    private void again(StoreConnection open, StoreScan look) {
        try {
            show(open, look.take());
        } catch (CommandFailure unavailable) {
            if (unavailable.exitCode() != ExitCodes.STORE_UNAVAILABLE) {
                throw unavailable;
            }
            spec.commandLine().getOut().println(unavailable.getMessage() + "; trying again");
        }
    }

    private void show(StoreConnection open, Snapshot snapshot) {
        PrintWriter out = spec.commandLine().getOut();
        // We clear the output only if it is a terminal. In a file, the escape sequence would be useless.
        if (!once && Ansi.AUTO.enabled()) {
            out.print(CLEARED);
        }
        TopTable.lines(open.name(), snapshot).forEach(out::println);
        out.println();
        out.flush();
    }

    private Duration duration(String option, String text) {
        Duration duration = Durations.parse(text);
        ArgumentChecks.require(
                spec.commandLine(),
                duration != null && !duration.isZero() && duration.compareTo(LONGEST) <= 0,
                option + " '" + text + "' is not a duration from 1ms to 1h; write 2s");
        return duration == null ? LONGEST : duration;
    }
}
