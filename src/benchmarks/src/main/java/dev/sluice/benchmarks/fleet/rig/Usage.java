package dev.sluice.benchmarks.fleet.rig;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The work of a Redis server, either in total or between two points in time.
 *
 * @param runs the number of times that each command has run, including runs in scripts
 * @param cpuSeconds the CPU time that the server has used
 * @param sentBytes the number of bytes that the server has sent to its clients
 */
public record Usage(Map<String, Long> runs, double cpuSeconds, long sentBytes) {

    public static final Usage NONE = new Usage(Map.of(), 0, 0);

    private static final List<String> PUSHES = List.of("publish", "spublish");

    public long runs(String command) {
        return runs.getOrDefault(command, 0L);
    }

    /** The number of commands that have run. */
    public long commands() {
        return runs.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The number of messages pushed to instances, for example to recall shares. */
    public long pushes() {
        return PUSHES.stream().mapToLong(this::runs).sum();
    }

    /** The difference between this usage and an earlier one. */
    public Usage since(Usage before) {
        Map<String, Long> grown = new TreeMap<>(runs);
        before.runs.forEach((command, earlier) -> grown.merge(command, -earlier, Long::sum));
        grown.values().removeIf(number -> number == 0);
        return new Usage(grown, cpuSeconds - before.cpuSeconds, sentBytes - before.sentBytes);
    }

    public Usage plus(Usage other) {
        Map<String, Long> sum = new TreeMap<>(runs);
        other.runs.forEach((command, number) -> sum.merge(command, number, Long::sum));
        return new Usage(sum, cpuSeconds + other.cpuSeconds, sentBytes + other.sentBytes);
    }

    /** Returns this usage minus the CPU time that an idle Redis server used in the same period. */
    public Usage lessIdle(Usage idle) {
        return new Usage(runs, Math.max(0, cpuSeconds - idle.cpuSeconds), sentBytes);
    }
}
