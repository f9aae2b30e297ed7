package dev.sluice.internal.limiter.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What became of the calls of a {@link RegionScene}, judged by the limit of both regions together. */
final class RegionResult {

    private final RegionScene scene;
    /** The calls of each caller in each window, in the order of decisions within a region. */
    private final List<List<Decided>> windows;

    /** A call: when it came and when it was decided. */
    record Decided(long cameNanos, long decidedNanos, boolean isAdmitted) {

        private double waitedMillis() {
            return (decidedNanos - cameNanos) / 1e6;
        }
    }

    /** A call comes, or is decided. */
    private record Event(long nanos, int call, boolean isDecision) {}

    RegionResult(RegionScene scene, int windows) {
        this.scene = scene;
        this.windows = Stream.generate(RegionResult::noCalls).limit(windows).toList();
    }

    private static List<Decided> noCalls() {
        return new ArrayList<>();
    }

    void add(int window, Decided call) {
        windows.get(window).add(call);
    }

    private Stream<Decided> calls() {
        return windows.stream().flatMap(List::stream);
    }

    private static long admitted(List<Decided> window) {
        return window.stream().filter(Decided::isAdmitted).count();
    }

    /** By how much a caller passed the limit, in the window in which it was passed most. */
    long over() {
        return windows.stream()
                .mapToLong(
                        window -> Math.max(0, admitted(window) - scene.limit().threshold()))
                .max()
                .orElse(0);
    }

    /** What was admitted, in per cent of what one limit for both regions lets pass of these calls. */
    double hadPercent() {
        long most = Math.min(scene.callsInAWindow(), scene.limit().threshold());
        long had = windows.stream()
                .mapToLong(window -> Math.min(admitted(window), most))
                .sum();
        return 100.0 * had / (most * windows.size());
    }

    /** Calls that were refused although the limit certainly allowed them, in per cent of all calls. */
    double earlyPercent() {
        return 100.0 * windows.stream().mapToLong(this::early).sum() / calls().count();
    }

    /** As a {@link CallerLedger} judges: a call may be refused if what is left does not suffice for all that wait. */
    private long early(List<Decided> window) {
        List<Event> events = new ArrayList<>();
        for (int call = 0; call < window.size(); call++) {
            events.add(new Event(window.get(call).cameNanos, call, false));
            events.add(new Event(window.get(call).decidedNanos, call, true));
        }
        events.sort(Comparator.comparingLong(Event::nanos));
        long left = scene.limit().threshold();
        long early = 0;
        Set<Integer> undecided = new HashSet<>();
        Set<Integer> mayBeRefused = new HashSet<>();
        for (Event event : events) {
            if (event.isDecision) {
                undecided.remove(event.call);
                boolean isAdmitted = window.get(event.call).isAdmitted;
                left -= isAdmitted ? 1 : 0;
                early += isAdmitted || mayBeRefused.contains(event.call) ? 0 : 1;
            } else {
                undecided.add(event.call);
            }
            if (left < undecided.size()) {
                mayBeRefused.addAll(undecided);
            }
        }
        return early;
    }

    double waitedPercent() {
        return 100.0 * waits().size() / calls().count();
    }

    /** How long calls waited, of those that did. */
    double waitMillis(double quantile) {
        List<Double> waits = waits();
        return waits.isEmpty() ? 0 : waits.get((int) Math.min(waits.size() - 1, Math.floor(waits.size() * quantile)));
    }

    private List<Double> waits() {
        return calls().map(Decided::waitedMillis)
                .filter(millis -> millis > 0)
                .sorted()
                .toList();
    }
}
