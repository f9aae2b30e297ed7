package dev.sluice.cli.limits;

import dev.sluice.cli.command.OpenStore;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.fleet.LimitNotes;
import dev.sluice.limits.ClientOverride;
import dev.sluice.store.redis.KeptLimit;
import dev.sluice.store.redis.RedisCounters;
import dev.sluice.store.redis.RedisOverrideSource;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows all limits of clients that are set in the store. */
@Command(name = "list", description = "Shows all limits that are set, one in each line: until when, by whom and why.")
final class ListLimits implements Runnable {

    private static final Comparator<KeptLimit> ORDER = Comparator.comparing(
            KeptLimit::limit,
            Comparator.comparing(ClientOverride::subject)
                    .thenComparing(ClientOverride::value)
                    .thenComparing(ClientOverride::endpoint));

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--subject", paramLabel = "NAME", description = "Only those of clients told by this subject.")
    private @Nullable String subject;

    ListLimits() {}

    @Override
    public void run() {
        try (OpenStore open = store.open()) {
            List<KeptLimit> all = open.limits(RedisOverrideSource::all);
            long now = open.counters(RedisCounters::nowMillis);
            PrintWriter out = spec.commandLine().getOut();
            all.stream()
                    .filter(kept ->
                            subject == null || subject.equals(kept.limit().subject()))
                    .sorted(ORDER)
                    .forEach(kept -> out.println(LimitText.line(kept.limit()) + LimitNotes.of(kept, now)));
        }
    }
}
