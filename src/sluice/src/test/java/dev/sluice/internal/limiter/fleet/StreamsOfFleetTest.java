package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Charge;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams on several instances that charge as they go, and stop when nothing remains. */
class StreamsOfFleetTest {

    private static final Duration YEAR = Duration.ofDays(365);
    private static final long THRESHOLD = 10_000;
    private static final long CHUNK = 5;
    private static final int SIZE = 3;

    static Stream<Limit> limits() {
        return Stream.of(
                new Limit.FixedWindow(THRESHOLD, YEAR),
                new Limit.SlidingWindow(THRESHOLD, YEAR, 1),
                new Limit.SlidingLog(THRESHOLD, YEAR),
                new Limit.TokenBucket(THRESHOLD, YEAR, THRESHOLD));
    }

    private static SimulatedFleet fleet(Limit limit) {
        Cost cost = new Cost(
                "estimate", call -> Long.parseLong(requireNonNull(call.header("Estimate"))), Cost.Settling.KEEP);
        Tier tier = new Tier("t", limit, Sync.DEFAULT);
        return new SimulatedFleet(SIZE, TestLimits.of(counting(endpoint("e", "/a", tier), Set.of(), cost)), true);
    }

    private static Ticket reserve(SimulatedFleet fleet, int instance, long estimate) {
        Decision decision = fleet.instances
                .get(instance)
                .decide(TestCall.get("/a").of("acme").with("Estimate", String.valueOf(estimate)));
        assertThat(decision.admitted()).isTrue();
        return requireNonNull(decision.ticket());
    }

    /** A stream of chunks, one every ten milliseconds. */
    private static final class ChunkStream {
        private final SimulatedFleet fleet;
        private final Ticket tokens;
        private long charged;
        private boolean isOver;

        private ChunkStream(SimulatedFleet fleet, Ticket tokens) {
            this.fleet = fleet;
            this.tokens = tokens;
        }

        private void next() {
            charged += CHUNK;
            isOver = tokens.charge(CHUNK).nothingRemains();
            if (!isOver) {
                fleet.loop.in(10 * SimulatedFleet.MILLI, this::next);
            }
        }
    }

    /** By a percent at most: what the streams of all instances charge until they hear of each other. */
    @ParameterizedTest
    @MethodSource("limits")
    void streamsThatStopHardlyPassTheLimit(Limit limit) {
        try (SimulatedFleet fleet = fleet(limit)) {
            List<ChunkStream> streams = new ArrayList<>();
            for (int i = 0; i < SIZE; i++) {
                int instance = i;
                fleet.loop.in(i * 7L * SimulatedFleet.MILLI, () -> {
                    ChunkStream stream = new ChunkStream(fleet, reserve(fleet, instance, 100));
                    streams.add(stream);
                    stream.next();
                });
            }
            fleet.pass(30_000);

            assertThat(streams).hasSize(SIZE).allMatch(stream -> stream.isOver);
            assertThat(streams.stream().mapToLong(stream -> stream.charged).sum())
                    .isBetween(THRESHOLD, THRESHOLD + THRESHOLD / 100);
        }
    }

    static Stream<Limit> limitsGrantedAhead() {
        return limits().filter(limit -> !(limit instanceof Limit.SlidingLog)); // it holds nothing ahead
    }

    @ParameterizedTest
    @MethodSource("limitsGrantedAhead")
    void anAnswerKnowsWhatOthersUseAndHold(Limit limit) {
        try (SimulatedFleet fleet = fleet(limit)) {
            List<Ticket> stream = new ArrayList<>();
            List<Charge> answers = new ArrayList<>();
            fleet.loop.in(0, () -> stream.add(reserve(fleet, 0, 1)));
            for (int i = 0; i < 100; i++) {
                int instance = 1 + i % 2;
                fleet.loop.in(i * 10L * SimulatedFleet.MILLI, () -> reserve(fleet, instance, 10));
                fleet.loop.in(
                        (5 + i * 10L) * SimulatedFleet.MILLI,
                        () -> answers.add(stream.get(0).charge(1)));
            }
            fleet.pass(1_000);
            Charge busy = answers.get(99);
            fleet.pass(10_000); // others have reported all, and returned what they hold
            fleet.loop.in(0, () -> answers.add(stream.get(0).charge(0)));
            fleet.pass(1);

            assertThat(busy.heldElsewhere()).isPositive();
            assertThat(busy.remaining() + busy.heldElsewhere()).isBetween(THRESHOLD - 1_100, THRESHOLD - 100 - 1);
            Charge quiet = answers.get(100);
            assertThat(quiet.heldElsewhere()).isZero();
            assertThat(quiet.remaining()).isEqualTo(THRESHOLD - 1_100);
        }
    }
}
