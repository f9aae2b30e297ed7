package dev.sluice.cli.limits;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.text.FileNotation;
import dev.sluice.config.tier.TierText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Sync;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands for limits of clients that are kept in the store. */
@Command(
        name = "limits",
        description =
                "Sets and shows limits of single clients. Every instance on the store follows, without a deployment.",
        footer = {
            "",
            "For example:",
            "  sluice limits set acme get-product 5000/10s --store redis://localhost:6379",
            "",
            "Exit code: 0 if all is well; 1 if the store cannot be reached or has no such limit; 2 for wrong usage."
        })
public final class LimitsCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    LimitsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do with limits: set, get, list or unset");
    }

    @Command(description = "Sets the limit of a client at an endpoint. It replaces the one in the file.")
    void set(
            @Mixin ListedOverrides limits,
            @Mixin ClientAtEndpoint whom,
            @Parameters(
                            index = "2",
                            paramLabel = "TIERS",
                            description = "Calls in a period: 5000/10s, or 100/1s,5000/10s.")
                    String tiers) {
        ClientOverride limit = limits.limit(whom, tiers);
        try {
            var unused = TierText.parse(tiers, Sync.DEFAULT);
        } catch (IllegalArgumentException e) {
            throw limits.usage(String.valueOf(e.getMessage()));
        }
        limits.in(source -> source.set(limit));
        limits.print(line(limit));
    }

    @Command(description = "Shows the limit that has been set for a client at an endpoint.")
    void get(@Mixin ListedOverrides limits, @Mixin ClientAtEndpoint whom) {
        ClientOverride asked = limits.limit(whom, "");
        ClientOverride found = limits.all().stream()
                .filter(limit ->
                        limit.value().equals(asked.value()) && limit.endpoint().equals(asked.endpoint()))
                .findFirst()
                .orElseThrow(() -> nothing(asked));
        limits.print(found.tiers());
    }

    @Command(description = "Shows all limits that have been set for values of the subject, one in each line.")
    void list(@Mixin ListedOverrides limits) {
        limits.all().forEach(limit -> limits.print(line(limit)));
    }

    @Command(description = "Removes the limit of a client at an endpoint. The one in the file holds again.")
    void unset(@Mixin ListedOverrides limits, @Mixin ClientAtEndpoint whom) {
        ClientOverride limit = limits.limit(whom, "");
        if (!limits.in(source -> source.unset(limit))) {
            throw nothing(limit);
        }
        limits.print(line(limit).strip() + ": removed, the limit in the file holds again");
    }

    private static CommandFailure nothing(ClientOverride limit) {
        return new CommandFailure("nothing is set for " + line(limit).strip());
    }

    /**
     * For example {@code tenant acme get-product 5000/10s}. What another program has written there prints no control
     * characters.
     */
    private static String line(ClientOverride limit) {
        String line = limit.subject() + ' ' + limit.value() + ' ' + limit.endpoint() + ' ' + limit.tiers();
        return FileNotation.harmless(line);
    }
}
