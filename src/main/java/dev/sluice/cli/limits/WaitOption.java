package dev.sluice.cli.limits;

import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.OpenStore;
import dev.sluice.config.shape.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** For how long a command waits until instances follow what it has changed, and what it says of that. */
final class WaitOption {

    private static final Duration LONGEST = Duration.ofHours(1);

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to wait until all instances follow, 0s for not at all; default: twice as long as "
                    + "they need to ask, and 2s.")
    private @Nullable String longest;

    WaitOption() {}

    /** Waits, says who follows, and tells the exit code. */
    int report(CommandLine command, OpenStore store) throws InterruptedException {
        Duration patience = longest == null ? null : duration(command, "--wait", longest);
        if (patience != null && patience.isZero()) {
            return ExitCode.OK;
        }
        PropagationWait.Outcome outcome;
        try {
            outcome = new PropagationWait(store, patience).await();
        } catch (CommandFailure e) {
            command.getErr()
                    .println("sluice: it is done in the store, but who follows it is not known: " + e.getMessage());
            return ExitCodes.NOT_FOLLOWED;
        }
        if (outcome.isByAll()) {
            command.getOut().println("  " + outcome.text());
            return ExitCode.OK;
        }
        command.getErr().println("sluice: it is done in the store, but " + outcome.text());
        return ExitCodes.NOT_FOLLOWED;
    }

    /** Checked before anything is done. */
    void check(CommandLine command) {
        if (longest != null) {
            ArgumentChecks.require(
                    command,
                    duration(command, "--wait", longest).compareTo(LONGEST) <= 0,
                    "--wait '" + longest + "' is longer than 1h");
        }
    }

    Duration duration(CommandLine command, String option, String text) {
        Duration duration = Durations.parse(text);
        ArgumentChecks.require(
                command, duration != null, option + " '" + text + "' is not a duration; write 30s, 2h or 1d");
        return duration == null ? Duration.ZERO : duration;
    }
}
