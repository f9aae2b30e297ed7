package example;

import dev.sluice.exchange.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The answer to a batch, stored as a text with one line for each statement. */
record Answer(long sequence, long appliedAt, List<Batch.Grant> grants) {

    private static final int FIXED = 5;

    static Answer read(long sequence, long appliedAt, String text) {
        List<Batch.Grant> grants = new ArrayList<>();
        text.lines().forEach(line -> {
            List<Long> numbers = Stream.of(line.split(" ")).map(Long::valueOf).toList();
            grants.add(new Batch.Grant(
                    numbers.get(0),
                    numbers.get(1),
                    numbers.get(2),
                    numbers.subList(FIXED, numbers.size()),
                    numbers.get(3) != 0,
                    numbers.get(4)));
        });
        return new Answer(sequence, appliedAt, grants);
    }

    String text() {
        return grants.stream()
                .map(grant -> LongStream.concat(
                                LongStream.of(
                                        grant.total(),
                                        grant.granted(),
                                        grant.elsewhere(),
                                        grant.mayComeBack() ? 1 : 0,
                                        grant.given()),
                                grant.details().stream().mapToLong(Long::longValue))
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n"));
    }
}
