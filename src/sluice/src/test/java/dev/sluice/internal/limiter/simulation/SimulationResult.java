package dev.sluice.internal.limiter.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of a simulation.
 *
 * @param early calls that were refused although the limits allowed them
 * @param missing how many fewer were admitted than if all calls were decided in one place, of the caller who missed
 *     most
 * @param over how much passed beyond a limit, of the caller who got most
 * @param waited calls that waited for the store
 * @param waitedMillis how long all calls waited together
 * @param p99Millis how long they waited at the 99th percentile of those that did
 * @param complaints the first mistakes, in words
 */
record SimulationResult(
        String name,
        int instances,
        double seconds,
        long offered,
        long admitted,
        long early,
        long missing,
        long over,
        long waited,
        double waitedMillis,
        double p99Millis,
        double longestMillis,
        StoreTraffic.Sums traffic,
        List<String> complaints) {

    private static final int MOST_COMPLAINTS = 3;

    double waitedPercent() {
        return 100.0 * waited / offered;
    }

    double waitedMillisACall() {
        return waitedMillis / offered;
    }

    double roundTripsAnInstanceAndSecond() {
        return (traffic.exchanges() + traffic.heartbeats()) / seconds / instances;
    }

    /** Round trips for an admitted call, without those that are made if nobody calls. */
    double roundTripsAnAdmittedCall() {
        return (double) traffic.exchanges() / admitted;
    }

    double statesAnAdmittedCall() {
        return (double) traffic.statements() / admitted;
    }

    double pushesACall() {
        return (double) traffic.pushes() / offered;
    }

    double commandsACall() {
        return (double) traffic.commands() / offered;
    }

    static String header() {
        return "%-52s %5s %7s %5s %8s %9s %6s %7s %8s %8s %9s %9s %8s"
                .formatted(
                        "",
                        "early",
                        "missing",
                        "over",
                        "waited %",
                        "waited ms",
                        "p99",
                        "longest",
                        "trips/is",
                        "trips/ad",
                        "statements/ad",
                        "commands",
                        "pushes");
    }

    String line() {
        return "%-52s %5d %7d %5d %8.3f %9.3f %6.1f %7.1f %8.1f %8.2f %9.2f %9.2f %8.2f"
                .formatted(
                        name,
                        early,
                        missing,
                        over,
                        waitedPercent(),
                        waitedMillisACall(),
                        p99Millis,
                        longestMillis,
                        roundTripsAnInstanceAndSecond(),
                        roundTripsAnAdmittedCall(),
                        statesAnAdmittedCall(),
                        commandsACall(),
                        pushesACall());
    }

    /** Adds up the results of callers. */
    static final class Builder {
        private final String name;
        private final SimulatedFleet fleet;
        private final StoreTraffic.Sums trafficBefore;
        private final long millisBefore;
        private final List<Double> waits = new ArrayList<>();
        private final List<String> complaints = new ArrayList<>();
        private long offered;
        private long admitted;
        private long early;
        private long missing;
        private long over;

        /** Counts from now on. */
        Builder(String name, SimulatedFleet fleet) {
            this.name = name;
            this.fleet = fleet;
            this.trafficBefore = fleet.traffic.sums();
            this.millisBefore = fleet.millis();
        }

        void add(CallerLedger ledger) {
            offered += ledger.offered;
            admitted += ledger.admitted;
            early += ledger.early;
            missing = Math.max(missing, ledger.missing());
            over = Math.max(over, ledger.over);
            waits.addAll(ledger.waitsMillis);
            ledger.complaints.stream()
                    .limit(MOST_COMPLAINTS - complaints.size())
                    .forEach(complaints::add);
        }

        SimulationResult build() {
            waits.sort(null);
            return new SimulationResult(
                    name,
                    fleet.instances.size(),
                    (fleet.millis() - millisBefore) / 1e3,
                    offered,
                    admitted,
                    early,
                    missing,
                    over,
                    waits.size(),
                    waits.stream().mapToDouble(wait -> wait).sum(),
                    waitAt(0.99),
                    waitAt(1),
                    fleet.traffic.sums().since(trafficBefore),
                    complaints);
        }

        private double waitAt(double quantile) {
            return waits.isEmpty()
                    ? 0
                    : waits.get((int) Math.min(waits.size() - 1, Math.floor(waits.size() * quantile)));
        }
    }
}
