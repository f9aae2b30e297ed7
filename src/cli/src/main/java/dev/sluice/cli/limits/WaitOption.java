package dev.sluice.cli.limits;

import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.internal.config.value.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code --wait} option. It limits how long a command waits for all instances to apply its change. */
final class WaitOption {

    private static final Duration LONGEST = Duration.ofHours(1);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description =
                    "How long to wait until all instances have applied the change; 0s to skip the wait; default: twice "
                            + "the polling interval of the instances, plus 2s.")
    private @Nullable String longest;

    WaitOption() {}

    /** Waits, prints how many instances have applied the change, and returns the exit code. */
    int report(StoreConnection store) throws InterruptedException {
        Duration patience = longest == null ? null : duration("--wait", longest);
        if (patience != null && patience.isZero()) {
            return ExitCode.OK;
        }
        PropagationWait.Propagation outcome;
        try {
            outcome = new PropagationWait(store, patience).await();
        } catch (CommandFailure e) {
            command.commandLine()
                    .getErr()
                    .println("sluice: the change is saved, but we could not check which instances have applied it: "
                            + e.getMessage());
            return ExitCodes.NOT_FOLLOWED;
        }
        if (outcome.isByAll()) {
            command.commandLine().getOut().println("  " + outcome.text());
            return ExitCode.OK;
        }
        command.commandLine().getErr().println("sluice: the change is saved, but " + outcome.text());
        return ExitCodes.NOT_FOLLOWED;
    }

    /** Validates the option before the command does anything. */
    void check() {
        if (longest != null) {
            ArgumentChecks.require(
                    command.commandLine(),
                    duration("--wait", longest).compareTo(LONGEST) <= 0,
                    "--wait '" + longest + "' is out of range; write at most 1h");
        }
    }

    Duration duration(String option, String text) {
        Duration duration = Durations.parse(text);
        ArgumentChecks.require(
                command.commandLine(),
                duration != null,
                option + " '" + text + "' is not a duration; write 30s, 2h or 1d");
        return duration == null ? Duration.ZERO : duration;
    }
}
