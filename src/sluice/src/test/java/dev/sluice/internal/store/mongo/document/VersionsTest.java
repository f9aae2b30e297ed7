package dev.sluice.internal.store.mongo.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionsTest {

    private static final long NOW = 1_795_470_721_337L;

    @Test
    void growWithEachWrite() {
        long first = Versions.next(Versions.NONE, NOW);
        long second = Versions.next(first, NOW);
        assertThat(second).isGreaterThan(first);
        assertThat(Versions.next(second, NOW - 60_000))
                .as("by a server whose clock is behind")
                .isGreaterThan(second);
    }

    /** Otherwise an instance that read the lost write could overwrite the other one. */
    @Test
    void ofALostWriteAreNotUsedAgain() {
        long before = Versions.next(Versions.NONE, NOW);
        long lost = Versions.next(before, NOW + 1);
        long byTheNextPrimary = Versions.next(before, NOW + 2);
        assertThat(byTheNextPrimary).isNotEqualTo(lost);
    }
}
