package dev.sluice.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestCall;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A million counters slow down neither the page nor calls. The same work is timed with few and with many counters, in
 * turn, by the CPU time of one thread, so that other load affects both equally.
 */
class ManyCountersTest {

    private static final int FEW = 5_000;
    private static final int MANY = Integer.getInteger("sluice.counters", 1_000_000);
    private static final int TURNS = 15;
    private static final int CALLS = 20_000;
    private static final int HOT = 1_000;
    /** Well above noise, and well below the cost of visiting each counter. */
    private static final double MOST = 4;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** A limiter with a number of counters, and the figures of its page. */
    private static final class Side implements AutoCloseable {

        private final Sluice sluice =
                Sluice.builder().config(new GivenFile("""
                    maximumCounters: 2000000
                    subjects: { tenant: [ "header:X-Org-Id" ] }
                    endpoints:
                      - { id: shop, pathPattern: /shop, tiers: [ { period: 366d, threshold: 1000000000 } ] }
                    """)).open();
        private final Sampler sampler = new Sampler(sluice);
        private final List<TestCall> calls = new ArrayList<>();
        private final List<Long> pages = new ArrayList<>();
        private final List<Long> decisions = new ArrayList<>();

        Side(int counters) {
            for (int i = 0; i < counters; i++) {
                var unused = sluice.decide(TestCall.get("/shop").of("tenant-" + i));
            }
            for (int i = 0; i < HOT; i++) {
                calls.add(TestCall.get("/shop").of("tenant-" + i));
            }
            assertThat(sluice.explain(calls.get(0))).hasSize(1);
        }

        void turn() {
            long begin = THREADS.getCurrentThreadCpuTime();
            byte[] page = JsonText.of(sampler.everything());
            pages.add(THREADS.getCurrentThreadCpuTime() - begin);
            assertThat(page).hasSizeGreaterThan(10_000);
            begin = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < CALLS; i++) {
                var unused = sluice.decide(calls.get(i % HOT));
            }
            decisions.add(THREADS.getCurrentThreadCpuTime() - begin);
        }

        @Override
        public void close() {
            sluice.close();
        }
    }

    private static double median(List<Long> times) {
        List<Long> sorted = new ArrayList<>(times.subList(times.size() / 3, times.size())); // the first warm up
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    @Test
    void slowNeitherThePageNorTheCalls() {
        try (Side few = new Side(FEW);
                Side many = new Side(MANY)) {
            for (int turn = 0; turn < TURNS; turn++) {
                few.turn();
                many.turn();
            }
            assertThat(median(many.pages) / median(few.pages)).as("the page").isLessThan(MOST);
            assertThat(median(many.decisions) / median(few.decisions))
                    .as("calls")
                    .isLessThan(MOST);
        }
    }
}
