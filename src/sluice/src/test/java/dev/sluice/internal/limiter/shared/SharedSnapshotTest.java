package dev.sluice.internal.limiter.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.rule.Part;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Outlook;
import org.junit.jupiter.api.Test;

class SharedSnapshotTest {

    private static final long NOW = 1_000;

    /** A usage with this much left, until the window ends at 60,000. */
    private record Left(long left) implements FleetUsage {
        @Override
        public long left(long nowMillis) {
            return left;
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return 60_000 - nowMillis;
        }

        @Override
        public long resetMillis(long used, long nowMillis) {
            return 60_000 - nowMillis;
        }

        @Override
        public FleetUsage after(long used, long nowMillis) {
            return new Left(left - used);
        }

        @Override
        public FleetUsage alone(Part part, OwnUse own, long nowMillis) {
            return this;
        }
    }

    static SharedSnapshot snapshot(
            SharedSnapshot.Mode mode, long left, long ungranted, long elsewhere, long confirmedUntil) {
        return new SharedSnapshot(
                mode, new Left(left), ungranted, 0, new Outlook(false, elsewhere, confirmedUntil, NOW, Long.MAX_VALUE));
    }

    @Test
    void waitingHelpsBeforeTheFirstAnswer() {
        assertThat(snapshot(SharedSnapshot.Mode.NEW, 0, 0, 0, Long.MAX_VALUE).mayBeGranted(1, 0, 0, NOW))
                .isTrue();
    }

    @Test
    void aCallWaitsForReturnedPermitsNotYetAllowedWhileTheStoreIsUnavailable() {
        assertThat(snapshot(SharedSnapshot.Mode.WITHOUT_STORE, 5, 5, 0, 0).mayBeGranted(1, 0, 0, NOW))
                .isFalse();
        assertThat(snapshot(SharedSnapshot.Mode.WITHOUT_STORE, 6, 5, 0, 0).mayBeGranted(1, 0, 0, NOW))
                .isTrue();
    }

    @Test
    void noCallWaitsWhileOnFailureDenies() {
        assertThat(snapshot(SharedSnapshot.Mode.DENYING, 100, 0, 0, 0).mayBeGranted(1, 0, 0, NOW))
                .isFalse();
    }

    @Test
    void aCallWaitsForItsPartOnceTheStoreIsBackUnlessTheLimitIsUsedUp() {
        assertThat(snapshot(SharedSnapshot.Mode.STORE_BACK, 5, 0, 0, 0).mayBeGranted(5, 0, 0, NOW))
                .isTrue();
        assertThat(snapshot(SharedSnapshot.Mode.STORE_BACK, 5, 0, 0, 0).mayBeGranted(6, 0, 0, NOW))
                .isFalse();
        assertThat(snapshot(SharedSnapshot.Mode.STORE_BACK, 5, 0, 0, NOW + 1).mayBeGranted(5, 0, 0, NOW))
                .isFalse();
        assertThat(snapshot(SharedSnapshot.Mode.STORE_BACK, 5, 0, 0, NOW).mayBeGranted(5, 0, 0, NOW))
                .isTrue();
    }

    /** The store would grant what may not be taken, and the call would ask again and again. */
    @Test
    void waitingDoesNotHelpForWithheldOverage() {
        SharedSnapshot fifteenLeft = snapshot(SharedSnapshot.Mode.SHARED, 15, 0, 0, 0);
        assertThat(fifteenLeft.mayBeGranted(1, 20, 5, NOW)).isFalse();
        assertThat(fifteenLeft.mayBeGranted(1, 20, 6, NOW)).isTrue();
        assertThat(fifteenLeft.mayBeGranted(40, 0, 0, NOW)).isTrue();
    }

    @Test
    void waitingHelpsUnlessTheLimitIsUsedUp() {
        assertThat(snapshot(SharedSnapshot.Mode.SHARED, 0, 0, 0, 0).mayBeGranted(1, 0, 0, NOW))
                .isTrue();
        assertThat(snapshot(SharedSnapshot.Mode.SHARED, 0, 0, 0, NOW + 1).mayBeGranted(1, 0, 0, NOW))
                .isFalse();
        assertThat(snapshot(SharedSnapshot.Mode.SHARED, 0, 0, 0, NOW).mayBeGranted(1, 0, 0, NOW))
                .isTrue();
    }

    @Test
    void permitsHeldElsewhereAndInHandCount() {
        assertThat(snapshot(SharedSnapshot.Mode.SHARED, 1, 0, 1, Long.MAX_VALUE).mayBeGranted(3, 0, 1, NOW))
                .isTrue();
        assertThat(snapshot(SharedSnapshot.Mode.SHARED, 1, 0, 1, Long.MAX_VALUE).mayBeGranted(4, 0, 1, NOW))
                .isFalse();
        assertThat(snapshot(SharedSnapshot.Mode.SHARED, 1, 1, 1, Long.MAX_VALUE).mayBeGranted(3, 0, 1, NOW))
                .isFalse();
    }

    @Test
    void aRetryPassesWhenTheLimitComesBackOrALeaseEnds() {
        SharedSnapshot snapshot = snapshot(SharedSnapshot.Mode.SHARED, 0, 0, 0, 0);
        assertThat(snapshot.retryMillis(1, NOW)).isEqualTo(59_000);
        SharedSnapshot leased =
                new SharedSnapshot(snapshot.mode(), snapshot.usage(), 0, 0, new Outlook(false, 0, 0, 0, NOW + 5_000));
        assertThat(leased.retryMillis(1, NOW)).isEqualTo(5_000);
        assertThat(leased.retryMillis(1, NOW + 6_000)).isEqualTo(1);
    }

    @Test
    void aCallThatWaitedInVainMayRetryAtOnceIfEnoughIsLeft() {
        SharedSnapshot fiveLeft = snapshot(SharedSnapshot.Mode.SHARED, 5, 0, 0, 0);
        assertThat(fiveLeft.retryMillis(5, NOW)).isEqualTo(1);
        assertThat(fiveLeft.retryMillis(6, NOW)).isEqualTo(59_000);
        SharedSnapshot threeGranted = snapshot(SharedSnapshot.Mode.SHARED, 5, 2, 0, 0);
        assertThat(threeGranted.retryMillis(3, NOW)).isEqualTo(1);
        assertThat(threeGranted.retryMillis(4, NOW)).isEqualTo(59_000);
    }
}
