package dev.sluice.internal.limiter.ledger;

import static dev.sluice.internal.limiter.ledger.PlayedLedger.unavailable;
import static dev.sluice.internal.limiter.ledger.PlayedLedger.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counters that nobody has called for a lease. */
class DormantCountersTest {

    /** A lease after the calls of {@link #called}. */
    private static final long DORMANT_SINCE = 5_000;

    private final PlayedLedger played = new PlayedLedger();
    private final Ledger ledger = played.ledger;

    /** Three calls, of which the store knows; others have used four. */
    private SharedPool called(Limit limit) {
        SharedPool pool = played.pool(limit, "a");
        played.waits(pool, 3);
        played.check(pool).collect();
        played.answer(statement -> new Grant(7, 3, 0, List.of(0L, 0L, 0L, 0L)));
        return pool;
    }

    /** The same, dormant. */
    private SharedPool dormant(Limit limit) {
        SharedPool pool = called(limit);
        played.ticksUntil(DORMANT_SINCE);
        return pool;
    }

    private SharedPool current(SharedPool pool) {
        return played.current(pool.counter);
    }

    private long accounts() {
        return ledger.sizes().all();
    }

    private List<Statement> statementsOfACall(SharedPool pool) {
        pool.charge(1, played.nowMillis());
        played.check(pool).ticksUntil(played.now().millis() - PlayedLedger.START + 1_000);
        return played.collect();
    }

    @Nested
    class Dormancy {

        @Test
        void haveNoAccount() {
            SharedPool pool = called(window(100));
            played.ticksUntil(DORMANT_SINCE - 250);
            assertThat(accounts()).isOne();
            played.ticksUntil(DORMANT_SINCE);
            assertThat(accounts()).isZero();
            assertThat(ledger.isAnyAccount()).isTrue();
            assertThat(pool.permits.isClosed()).isTrue();
            assertThat(ledger.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void doesNotBeginWhileTheStoreIsUnavailable() {
            called(window(100));
            played.ticksUntil(1_000).outage(unavailable(OnFailure.LOCAL)).ticksUntil(DORMANT_SINCE);
            assertThat(accounts()).isOne();
            played.outage(null).ticksUntil(DORMANT_SINCE + 250);
            assertThat(accounts()).isZero();
        }

        /** Otherwise nobody would hear when something comes back. */
        @Test
        void doesNotBeginWhileTheLimitIsUsedUp() {
            dormant(window(7));
            assertThat(accounts()).isOne();
        }

        @Test
        void doesNotBeginWhileACallIsInFlightThatMayNotCount() {
            SharedPool pool = called(window(100));
            pool.addRefundable(1, 0);
            played.ticksUntil(DORMANT_SINCE);
            assertThat(accounts()).isOne();
            pool.addRefundable(-1, 0);
            played.ticksUntil(DORMANT_SINCE + 5_000); // another lease
            assertThat(accounts()).isZero();
        }

        /** Others may have used the limit up meanwhile, unless it was far from that. */
        @ParameterizedTest
        @CsvSource({"900, 30, 0", "10, 30, 10"})
        void leavesNoSlackInALargeFleetUnlessTheLimitWasCalm(long total, int instances, long slack) {
            played.instances = instances;
            SharedPool pool = played.pool(window(1_000), new Sync(Duration.ofSeconds(1), 0.01, false), "a");
            played.waits(pool, 11);
            played.check(pool).collect();
            played.answer(statement -> new Grant(total, statement.needed().all(), 0));
            played.ticksUntil(DORMANT_SINCE + 1_000);
            assertThat(accounts()).isZero();

            SharedPool opened = current(pool);
            assertThat(opened.permits.left()).isEqualTo(slack);
            played.check(opened);
            assertThat(opened.permits.left())
                    .as("once the background has seen it")
                    .isEqualTo(slack);
        }

        /** It found the pool just before that was closed, and took some after the background had looked. */
        @Test
        void leavesNoMoreSlackThanACallOfThatMoment() {
            SharedPool pool = played.pool(window(1_000), new Sync(Duration.ofSeconds(1), 0.01, false), "a");
            played.check(pool).exchangeAll(0);
            played.ticksUntil(DORMANT_SINCE - 250);
            assertThat(pool.take(4, played.nowMillis())).isEqualTo(6);
            long slack = ((Entry) Objects.requireNonNull(pool.attachment()))
                    .account()
                    .books()
                    .ungranted();
            assertThat(pool.makeDormant(0, 0, slack, false, 1)).isNotNull();
            assertThat(current(pool).permits.left()).isEqualTo(6);
        }

        @Test
        void doesNotBeginWhereNumbersDoNotSayAll() {
            dormant(new Limit.TokenBucket(100, Duration.ofMinutes(10), 100));
            assertThat(accounts()).isOne();
        }
    }

    @Nested
    class TheNextCall {

        @Test
        void findsWhatWasKnown() {
            SharedPool pool = current(dormant(window(100)));
            assertThat(pool.snapshot().mode()).isEqualTo(Mode.SHARED);
            assertThat(pool.left(played.nowMillis())).isEqualTo(93);
            assertThat(pool.used()).isEqualTo(3);
            assertThat(accounts()).isZero();
        }

        @Test
        void isAllThatIsReported() {
            assertThat(statementsOfACall(current(dormant(window(100)))))
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(1L);
        }

        @Test
        void isNoReasonToTakeMoreAheadThanOtherCallsThatComeSeldom() {
            SharedPool pool = current(dormant(window(100)));
            PendingCall call = played.waits(pool, 1);
            assertThat(played.check(pool).collect()).singleElement().satisfies(statement -> {
                assertThat(statement.needed().all()).isEqualTo(1);
                assertThat(statement.wanted()).isZero();
            });
            played.grantAhead(0);
            assertThat(call.taken).isCompletedWithValue(true);
        }

        @Test
        void findsWhatWasKnownOfASlidingWindow() {
            SharedPool pool = played.pool(new Limit.SlidingWindow(100, Duration.ofMinutes(10), 4), "a");
            played.waits(pool, 3);
            played.check(pool).collect();
            played.answer(statement -> new Grant(7, 3, 0, List.of(10L, 0L, 0L, 0L)));
            played.ticksUntil(DORMANT_SINCE);
            assertThat(accounts()).isZero();
            assertThat(current(pool).left(played.nowMillis())).isEqualTo(83);
        }

        @Test
        void findsANewWindowOnceThatOneIsOver() {
            SharedPool pool = dormant(window(100));
            played.at(Duration.ofMinutes(10).toMillis());
            assertThat(current(pool).left(played.nowMillis())).isEqualTo(100);
            assertThat(current(pool).start()).isEqualTo(pool.end());
        }

        @Test
        void usesWhatWasLeftIfTheStoreIsUnavailable() {
            SharedPool pool = dormant(window(10));
            played.outage(unavailable(OnFailure.LOCAL));
            SharedPool next = current(pool);
            assertThat(next.take(3, played.nowMillis())).isZero();
            played.check(next);
            assertThat(next.take(1, played.nowMillis())).isNegative();
        }

        /** The account begins where it ended, so that it can become dormant again. */
        @Test
        void canBecomeDormantAgain() {
            SharedPool pool = current(dormant(window(100)));
            statementsOfACall(pool);
            played.answer(statement -> new Grant(8, 0, 0)).ticksUntil(2 * DORMANT_SINCE + 2_000);
            assertThat(accounts()).isZero();
            assertThat(current(pool).used()).isEqualTo(4);
            assertThat(current(pool).left(played.nowMillis())).isEqualTo(92);
        }
    }

    @Test
    void areContinuedUnderOtherFigures() {
        Counter counter = dormant(window(100)).counter;
        Tier tier = new Tier("t", window(50), new Sync(Duration.ofSeconds(1), 0, false));
        CounterFamily family = new CounterFamilies(played, () -> 0, new Blocks(() -> 0))
                .of(new CounterFamily.Identity("e", "*", tier, List.of("tenant"), List.of("ip")));
        Counter next = counter.replacedBy(family);
        assertThat(next).isNotNull();
        assertThat(played.current(next).left(played.nowMillis())).isEqualTo(43);
    }

    @Test
    void reportWhatACallReturnsLate() {
        SharedPool pool = dormant(window(100));
        pool.refund(1, 0, played.nowMillis());
        ledger.processRequests(played.now());
        assertThat(played.collect()).singleElement().extracting(Statement::used).isEqualTo(-1L);
    }

    @Test
    void sendAWaitingCallOn() {
        SharedPool pool = dormant(window(100));
        PendingCall call = played.waits(pool, 1);
        played.check(pool);
        assertThat(pool.line().needed())
                .as("calls that wait at the closed pool")
                .isLessThanOrEqualTo(1);
        assertThat(call.taken).isNotDone();
    }

    @Nested
    class WhatTheStoreHasLost {

        @Test
        void isReportedAgain() {
            dormant(window(100));
            assertThat(played.lose(0).collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(3L);
        }

        @Test
        void isReportedAgainOnce() {
            dormant(window(100));
            played.lose(0).collect();
            played.answer(statement -> new Grant(3, 0, 0));
            assertThat(played.collect()).isEmpty();
        }

        @Test
        void isReportedWithTheNextCall() {
            SharedPool pool = dormant(window(100));
            played.lose(0);
            assertThat(statementsOfACall(current(pool)))
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(4L);
        }

        @Test
        void isReportedByTheAccountAfterTheNextCall() {
            SharedPool pool = current(dormant(window(100)));
            statementsOfACall(pool);
            played.answer(statement -> new Grant(8, 0, 0)).lose(0);
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(4L);
        }

        @Test
        void isOfNoUseOnceTheWindowIsOver() {
            dormant(window(100));
            assertThat(played.at(Duration.ofMinutes(11).toMillis()).lose(0).collect())
                    .isEmpty();
        }
    }
}
