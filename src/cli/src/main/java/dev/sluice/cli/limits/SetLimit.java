package dev.sluice.cli.limits;

import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.BlockedCallers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.limits.check.ClientAtEndpoint;
import dev.sluice.cli.limits.check.NameCheck;
import dev.sluice.cli.limits.check.ReplacedLimit;
import dev.sluice.cli.limits.check.SeenCallers;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.config.tier.OverrideText;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Sync;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sets a client's limit in the store if it would have an effect. Then waits until instances have applied it. */
@Command(
        name = "set",
        description = {
            "Sets the limit of a client at an endpoint, or a factor for its limits at one or all endpoints.",
            "It replaces or multiplies the limit in the file.",
            "With --plan, it applies to all callers on that plan that do not have their own limit.",
            "Nothing is set if there is no such endpoint or subject."
        })
final class SetLimit implements Callable<Integer> {

    private static final int LONGEST_DAYS = 3660;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClientAtEndpoint target = new ClientAtEndpoint();

    @Mixin
    private WaitOption waiting = new WaitOption();

    @Parameters(
            index = "2",
            arity = "0..1",
            hideParamSyntax = true,
            paramLabel = "TIERS",
            description = {
                "Calls in a period: 5000/10s, or 100/1s,5000/10s;",
                "or a factor for the limits in the file: x2."
            })
    private @Nullable String tiers;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            description = "How long the limit lasts, such as 2h or 30m. Then the limit in the file or of the client's "
                    + "plan applies again; default: until it is unset.")
    private @Nullable String lasting;

    @Mixin
    private NoteOptions notes = new NoteOptions();

    @Option(
            names = "--strict",
            description = "Sets nothing if the client neither has a counter in the store nor is listed in clients.")
    private boolean strict;

    SetLimit() {}

    @Override
    public Integer call() throws InterruptedException {
        waiting.check();
        ClientOverride typed = target.limit(tiers);
        boolean isFactor;
        try {
            isFactor = OverrideText.parse(typed, Sync.DEFAULT).tiers().isEmpty();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
        Duration lasts = lasting == null ? Duration.ZERO : waiting.duration("--for", lasting);
        ArgumentChecks.require(
                spec.commandLine(),
                lasting == null || (!lasts.isZero() && lasts.compareTo(Duration.ofDays(LONGEST_DAYS)) <= 0),
                "--for '" + lasting + "' is out of range; write a duration from 1ms to " + LONGEST_DAYS + "d");
        try (StoreConnection open = target.openStore()) {
            // All checks precede the change, so that the command never sets a limit with a wrong name.
            State state = StoreChange.before(() -> look(open, typed));
            ClientOverride limit = state.limit();
            StoreChange.of(() -> open.overrides(source -> source.set(limit, notes.note(lasts))));
            PrintWriter out = spec.commandLine().getOut();
            out.println("The limit is set: " + LimitText.line(limit, state.known()));
            ReplacedLimit.lines(limit, state.known(), state.before(), state.nowMillis())
                    .forEach(line -> out.println("  " + line));
            if (!lasts.isZero()) {
                out.println("  It expires in " + TimeText.span(lasts.toMillis()) + ", at "
                        + TimeText.moment(state.nowMillis() + lasts.toMillis()));
            }
            if (isFactor) { // limits that consist of tiers never block callers
                BlockedCallers.notes(open, limit, state.nowMillis()).forEach(line -> out.println("  " + line));
            }
            return waiting.report(open);
        }
    }

    /** The state that the command has read before it sets the limit. */
    private record State(ClientOverride limit, List<FollowedFile> known, List<StoredOverride> before, long nowMillis) {}

    private State look(StoreConnection open, ClientOverride typed) {
        List<InstanceReport> instances = open.instances(Instances::all);
        List<FollowedFile> known = target.serviceFile().find(open, instances);
        ClientOverride limit = target.meant(typed, known);
        checkNames(limit, known, instances.size());
        SeenCallers.doubt(open, instances, known, limit).ifPresent(doubt -> {
            if (strict) {
                throw new CommandFailure(ExitCodes.UNKNOWN_NAME, doubt + "; nothing was set");
            }
            spec.commandLine().getErr().println("warning: " + doubt);
        });
        return new State(limit, known, open.overrides(OverrideStore::all), open.counters(LiveCounters::nowMillis));
    }

    private void checkNames(ClientOverride limit, List<FollowedFile> known, int instances) {
        PrintWriter err = spec.commandLine().getErr();
        if (known.isEmpty()) {
            err.println("warning: could not check the names, because "
                    + (instances == 0 ? "no live instance uses this store" : "no instance reports its limits")
                    + "; name the file of the service with --config FILE");
            return;
        }
        NameCheck check = new NameCheck(limit, target.namesSubject());
        check.requireEffect(known);
        List<FollowedFile> useless =
                known.stream().filter(one -> check.problem(one).isPresent()).toList();
        for (FollowedFile one : useless) {
            err.println("warning: it has no effect on " + one.instances() + " of " + instances + " instances: "
                    + check.problem(one).orElse(""));
        }
        known.stream()
                .map(check::note)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet())
                .forEach(note -> err.println("note: " + note));
    }
}
