package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static long of(String value) {
        return Fingerprint.of("shop", List.of(new Subject("tenant", "header:X-Org-Id", value)));
    }

    @Property(tries = 2_000)
    void dependsOnlyOnTheName(
            @ForAll @StringLength(max = 64) String one, @ForAll @StringLength(max = 64) String other) {
        assertThat(of(one) == of(other)).isEqualTo(one.equals(other));
        assertThat(of(new String(one.toCharArray()))).isEqualTo(of(one));
    }

    @Test
    void differsByEndpointSubjectAndSource() {
        Subject acme = new Subject("tenant", "header:X-Org-Id", "acme");
        Subject bob = new Subject("user", "principal", "bob");
        List<Long> prints = List.of(
                Fingerprint.of("shop", List.of(acme)),
                Fingerprint.of("login", List.of(acme)),
                Fingerprint.of("shop", List.of(new Subject("tenant", "ip", "acme"))),
                Fingerprint.of("shop", List.of(new Subject("user", "header:X-Org-Id", "acme"))),
                Fingerprint.of("shop", List.of(acme, bob)),
                Fingerprint.of("shop", List.of(bob, acme)),
                Fingerprint.of("shop", List.of()));
        assertThat(prints).doesNotHaveDuplicates();
    }

    /** Names that all have the same {@code hashCode}. */
    @Test
    void differsForMadeUpNames() {
        Set<Long> prints = new HashSet<>();
        IntStream.range(0, 1 << 14).forEach(number -> {
            StringBuilder name = new StringBuilder();
            IntStream.range(0, 14).forEach(bit -> name.append((number >> bit & 1) == 0 ? "Aa" : "BB"));
            prints.add(of(name.toString()));
        });
        assertThat(prints).hasSize(1 << 14);
    }

    @Test
    void usesAllOfItsBits() {
        long some = IntStream.range(0, 1_000).mapToLong(i -> of("tenant-" + i)).reduce(0, (one, other) -> one | other);
        long all = IntStream.range(0, 1_000).mapToLong(i -> of("tenant-" + i)).reduce(-1, (one, other) -> one & other);
        assertThat(some).isEqualTo(-1);
        assertThat(all).isZero();
    }

    @Test
    void isCarriedByAListOfSubjects() {
        List<Subject> acme = List.of(new Subject("tenant", "header:X-Org-Id", "acme"));
        List<Subject> both = List.of(acme.get(0), new Subject("user", "principal", "bob"));
        for (List<Subject> who : List.of(acme, both, List.<Subject>of())) {
            CallerSubjects carrying = new CallerSubjects("shop", who);
            assertThat(carrying).isEqualTo(who).hasSameHashCodeAs(who);
            assertThat(CallerSubjects.fingerprint("shop", carrying)).isEqualTo(Fingerprint.of("shop", who));
            assertThat(CallerSubjects.fingerprint("login", carrying)).isEqualTo(Fingerprint.of("login", who));
            assertThat(CallerSubjects.fingerprint("login", who)).isEqualTo(Fingerprint.of("login", who));
            assertThat(CallerSubjects.boxedFingerprint("shop", carrying)).isEqualTo(Fingerprint.of("shop", who));
            assertThat(CallerSubjects.boxedFingerprint("login", carrying)).isEqualTo(Fingerprint.of("login", who));
        }
    }
}
