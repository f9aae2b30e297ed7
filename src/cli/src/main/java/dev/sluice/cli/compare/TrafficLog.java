package dev.sluice.cli.compare;

import dev.sluice.Call;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.log.Logs;
import dev.sluice.internal.text.SafeText;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts the calls and callers in an access log to traffic. Not thread-safe. */
final class TrafficLog {

    private static final int MOST_CALLS = 5_000_000;
    private static final String HEADER = "header:";

    private final Function<Call, @Nullable String> caller;
    private final Map<String, Integer> callers = new HashMap<>();
    private long[] millis = new long[1024];
    private int[] numbers = new int[1024];
    private int calls;

    private TrafficLog(Function<Call, @Nullable String> caller) {
        this.caller = caller;
    }

    /**
     * Reads a log.
     *
     * @param format a format name or notation that {@link Formats} supports; {@code null} to detect the format
     * @param by the source that identifies callers
     * @throws IllegalArgumentException if {@code format} or {@code by} is invalid
     */
    static SampleTraffic read(String file, @Nullable String format, String by) {
        Formats formats = new Formats(Map.of());
        TrafficLog log = new TrafficLog(caller(by));
        try (Logs logs = new Logs(List.of(file), formats, format, null)) {
            logs.play(call -> log.add(call, call.startMillis()), () -> false);
            for (String broken : logs.summary().broken()) {
                throw new CommandFailure(broken);
            }
        }
        if (log.calls == 0) {
            throw new CommandFailure(SafeText.of(file) + " has no calls");
        }
        return new SampleTraffic(
                "the calls of " + SafeText.of(file),
                Arrays.copyOf(log.millis, log.calls),
                Arrays.copyOf(log.numbers, log.calls));
    }

    private static Function<Call, @Nullable String> caller(String by) {
        if (by.startsWith(HEADER) && by.length() > HEADER.length()) {
            String name = by.substring(HEADER.length());
            return call -> call.header(name);
        }
        return switch (by) {
            case "ip" -> Call::ip;
            case "principal" -> Call::principal;
            default ->
                throw new IllegalArgumentException(
                        "--by " + by + " does not identify callers; write ip, principal or header:NAME");
        };
    }

    private void add(Call call, long startMillis) {
        if (calls == MOST_CALLS) {
            throw new CommandFailure("the log has more than " + MOST_CALLS + " calls; use a part of it");
        }
        if (calls == millis.length) {
            millis = Arrays.copyOf(millis, 2 * calls);
            numbers = Arrays.copyOf(numbers, 2 * calls);
        }
        String who = caller.apply(call);
        // The reader delivers calls in the order of their start, unless the lines of the log are too far out of order.
        // In that case, a late call is played immediately.
        millis[calls] = calls == 0 ? startMillis : Math.max(millis[calls - 1], startMillis);
        numbers[calls++] = callers.computeIfAbsent(who == null ? "" : who, name -> callers.size());
    }
}
