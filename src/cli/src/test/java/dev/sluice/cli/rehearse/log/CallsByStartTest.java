package dev.sluice.cli.rehearse.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.format.LineFormat;
import dev.sluice.cli.rehearse.format.LoggedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CallsByStartTest {

    private static final long START = 1_772_409_600L;

    private final LogCounts counts = new LogCounts();
    private final LineFormat format = new Formats(Map.of()).named("$remote_addr $msec \"$request\" $status");
    private final List<String> paths = new ArrayList<>();

    private LoggedCall call(long millis, String path) {
        return Objects.requireNonNull(format.read(
                "::1 %d.%03d \"GET %s HTTP/1.1\" 200".formatted(START + millis / 1000, millis % 1000, path)));
    }

    @Test
    void callsOfOneSecondAreSortedAndThoseOfOneMomentStayAsTheyCame() {
        CallsByStart order = new CallsByStart(counts, 1 << 23, call -> paths.add(call.path()));
        Random random = new Random(5);
        List<long[]> made = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            long millis = random.nextInt(1000);
            made.add(new long[] {millis, i});
            order.add(call(millis, "/" + i));
        }
        order.finish();
        made.sort((one, other) -> Long.compare(one[0], other[0]));
        assertThat(paths).isEqualTo(made.stream().map(one -> "/" + one[1]).toList());
    }

    /** Each line takes much more than the memory that there is, and none is lost. */
    @Test
    void handsCallsOnEarlyWhereTheyTakeTooMuchMemory() {
        CallsByStart order =
                new CallsByStart(counts, 100_000, call -> paths.add(call.path().substring(0, 5)));
        String longPath = "/" + "x".repeat(20_000);
        for (int i = 0; i < 60; i++) {
            order.add(call(i * 100L, "/" + (100 + i) + longPath));
        }
        assertThat(paths).hasSizeGreaterThan(50);
        order.finish();
        assertThat(counts.summary().late()).isZero();
        assertThat(paths).hasSize(60).isSorted();
    }

    @Test
    void aFloodWithinOneSecondIsHandedOnToo() {
        CallsByStart order = new CallsByStart(counts, 100_000, call -> paths.add(call.path()));
        for (int i = 0; i < 10_000; i++) {
            order.add(call(7, "/" + i));
        }
        assertThat(paths).hasSizeGreaterThan(8_000);
        order.finish();
        assertThat(paths).hasSize(10_000).startsWith("/0", "/1").endsWith("/9999");
        assertThat(counts.summary().late()).isZero();
    }
}
