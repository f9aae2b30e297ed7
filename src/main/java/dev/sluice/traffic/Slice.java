package dev.sluice.traffic;

import dev.sluice.Decision;
import dev.sluice.traffic.Tally.Kind;

/**
 * Some seconds of traffic.
 *
 * @param startMillis when they began
 * @param calls who called most
 * @param refusals who was refused most, also by dry runs; kept apart, since whoever calls most may never be refused
 */
record Slice(long startMillis, HeavyCallers calls, HeavyCallers refusals) {

    Slice(long startMillis, int capacity) {
        this(startMillis, new HeavyCallers(capacity, 0), new HeavyCallers(capacity, CallerTraffic.MOST_REFUSALS));
    }

    void count(String endpoint, Kind kind, Decision decision, long nowMillis) {
        long caller = Fingerprint.of(endpoint, decision.subjects());
        calls.count(endpoint, caller, kind, decision, nowMillis);
        if (kind != Kind.ALLOWED) {
            refusals.count(endpoint, caller, kind, decision, nowMillis);
        }
    }
}
