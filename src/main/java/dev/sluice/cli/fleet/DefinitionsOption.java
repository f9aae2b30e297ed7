package dev.sluice.cli.fleet;

import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.OpenStore;
import dev.sluice.cli.command.ResolverOption;
import dev.sluice.config.file.LimitsReader;
import dev.sluice.config.report.ReportReader;
import dev.sluice.config.report.ReportedLimits;
import dev.sluice.store.operated.InstanceReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a command takes definitions from: a file, or else what the instances on the store have written there. */
public final class DefinitionsOption {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The file of the service; default: what its instances have written into the store.")
    private @Nullable String config;

    @Mixin
    private ResolverOption resolvers = new ResolverOption();

    public DefinitionsOption() {}

    /** What the file says that was given; {@code null} if none was. */
    public @Nullable FollowedFile given() {
        if (config == null) {
            return null;
        }
        var file = LimitsReader.read(ConfigSources.named(config), resolvers.names());
        return new FollowedFile(file.name(), file.limits(), 0);
    }

    /** Each once, those first by which the most instances go; none if there is no file and no instance lives. */
    public List<FollowedFile> find(OpenStore store, List<InstanceReport> instances) {
        FollowedFile given = given();
        if (given != null) {
            return List.of(given);
        }
        Map<String, Long> digests = instances.stream()
                .filter(instance -> !instance.definitions().isEmpty())
                .collect(Collectors.groupingBy(InstanceReport::definitions, TreeMap::new, Collectors.counting()));
        List<FollowedFile> found = new ArrayList<>();
        digests.forEach((digest, number) -> {
            String text = store.instances(source -> source.definitions(digest));
            ReportReader.read(new ReportedLimits(text))
                    .ifPresent(report ->
                            found.add(new FollowedFile(report.file(), report.limits(), Math.toIntExact(number))));
        });
        found.sort((one, other) -> other.instances() - one.instances());
        return found;
    }
}
