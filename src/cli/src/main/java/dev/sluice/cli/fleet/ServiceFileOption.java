package dev.sluice.cli.fleet;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.ResolverOption;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.instance.report.ReportReader;
import dev.sluice.internal.instance.report.ReportedLimits;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The {@code --config} option. It names a service's limits file. The command then uses this file instead of the limits
 * that the service's instances report to the store.
 */
public final class ServiceFileOption {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The file of the service; default: the limits that its instances report to the store.")
    private @Nullable String config;

    @Mixin
    private ResolverOption resolvers = new ResolverOption();

    public ServiceFileOption() {}

    /** Returns the file named by the option; {@code null} if the option is missing. */
    public @Nullable FollowedFile given() {
        if (config == null) {
            return null;
        }
        var file = LimitsReader.read(ConfigSources.named(config), resolvers.names());
        return new FollowedFile(file.name(), file.limits(), 0);
    }

    /**
     * Returns the file named by the option; if the option is missing, returns all files that the store's instances use.
     * The most widely used file comes first.
     */
    public List<FollowedFile> find(StoreConnection store, List<InstanceReport> instances) {
        FollowedFile given = given();
        if (given != null) {
            return List.of(given);
        }
        Map<String, Long> digests = instances.stream()
                .filter(instance -> !instance.fileDigest().isEmpty())
                .collect(Collectors.groupingBy(InstanceReport::fileDigest, TreeMap::new, Collectors.counting()));
        List<FollowedFile> found = new ArrayList<>();
        digests.forEach((digest, number) -> {
            String text = store.instances(source -> source.limitsOfFile(digest));
            ReportReader.read(new ReportedLimits(text))
                    .ifPresent(report ->
                            found.add(new FollowedFile(report.file(), report.limits(), Math.toIntExact(number))));
        });
        found.sort((one, other) -> other.instances() - one.instances());
        return found;
    }

    /**
     * Returns the same files as {@link #find}, but no file if the store does not respond in time. A command that only
     * lists entries should not fail because display names are missing.
     */
    public List<FollowedFile> findIfAnswered(StoreConnection store) {
        try {
            return find(store, store.instances(Instances::heads));
        } catch (CommandFailure e) {
            if (e.exitCode() != ExitCodes.STORE_UNAVAILABLE) {
                throw e;
            }
            return List.of();
        }
    }
}
