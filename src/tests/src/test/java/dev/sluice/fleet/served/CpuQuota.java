package dev.sluice.fleet.served;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives processes half a core each, as Kubernetes does with {@code limits.cpu: 500m}: 50 of each 100 ms, by control
 * groups of either version. Needs root.
 */
final class CpuQuota implements AutoCloseable {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final Path OLD = ROOT.resolve("cpu/cpu.cfs_quota_us");
    private static final Path CONTROLLERS = ROOT.resolve("cgroup.subtree_control");

    private final List<Path> groups = new ArrayList<>();

    /** The reason why this machine cannot limit processes; empty if it can. */
    static String obstacle() {
        try {
            if (Files.isWritable(OLD.getParent()) && Files.exists(OLD)) {
                return "";
            }
            if (!Files.isWritable(CONTROLLERS)) {
                return "no control group of " + ROOT + " can be written";
            }
            return Files.readString(CONTROLLERS).contains("cpu") ? "" : CONTROLLERS + " does not name cpu";
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Each of these processes has half a core from now on. */
    CpuQuota(List<Long> processes) {
        for (long process : processes) {
            boolean old = Files.exists(OLD);
            Path group = (old ? OLD.getParent() : ROOT).resolve("sluice-test-" + process);
            try {
                Files.createDirectory(group);
                groups.add(group);
                if (old) {
                    Files.writeString(group.resolve("cpu.cfs_period_us"), "100000");
                    Files.writeString(group.resolve("cpu.cfs_quota_us"), "50000");
                } else {
                    Files.writeString(group.resolve("cpu.max"), "50000 100000");
                }
                Files.writeString(group.resolve("cgroup.procs"), process + "");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** How often a process was stopped because its quota was used up. */
    long stalls() {
        return groups.stream().mapToLong(CpuQuota::throttled).sum();
    }

    private static long throttled(Path group) {
        try {
            return Files.readAllLines(group.resolve("cpu.stat")).stream()
                    .filter(line -> line.startsWith("nr_throttled "))
                    .mapToLong(line -> Long.parseLong(line.substring("nr_throttled ".length())))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the quota of the processes. */
    @Override
    public void close() {
        for (Path group : groups) {
            try {
                for (String process : Files.readAllLines(group.resolve("cgroup.procs"))) {
                    Files.writeString(group.resolveSibling("cgroup.procs"), process);
                }
                Files.delete(group);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
