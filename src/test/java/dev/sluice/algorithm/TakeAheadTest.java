package dev.sluice.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A tenth of a call a millisecond comes here, an exchange is due in a second: 100 calls, with a margin of 40. */
class TakeAheadTest {

    private static TakeAhead ahead(long windowMillis, long left, double part) {
        return new TakeAhead(0.1, 1_000, windowMillis, left, part);
    }

    @Test
    void takesWhatIsExpectedAndAMargin() {
        TakeAhead far = ahead(5_000, 10_000, 1);

        assertThat(far.wanted(0)).isEqualTo(140);
        assertThat(far.wanted(50)).isEqualTo(90);
        assertThat(far.wanted(110)).isZero();
    }

    @Test
    void takesHalfAStepWhereWhatIsLeftWillJustAboutDo() {
        assertThat(ahead(2_000, 200, 1).wanted(0)).isEqualTo(50);
    }

    @Test
    void takesItsPartOfALimitThatWillBeUsedUpForSeveralExchanges() {
        assertThat(ahead(5_000, 600, 0.25).wanted(0)).isEqualTo(150);
        assertThat(ahead(9_000, 2_000, 0.25).wanted(0)).isEqualTo(300);
        assertThat(ahead(5_000, 100, 0.25).wanted(0)).isEqualTo(50);
    }

    @Test
    void keepsWhatItHasTakenForSeveralExchanges() {
        assertThat(ahead(5_000, 0, 0.25).surplus(340)).isZero();
        assertThat(ahead(5_000, 0, 0.25).surplus(341)).isEqualTo(201);
    }

    @Test
    void returnsWhatIsFarMoreThanNeeded() {
        assertThat(ahead(5_000, 10_000, 1).surplus(280)).isZero();
        assertThat(ahead(5_000, 10_000, 1).surplus(281)).isEqualTo(141);
    }

    @Test
    void takesForCallsThatWaitWhateverIsExpected() {
        assertThat(new TakeAhead(0, 1_000, 5_000, 10, 1).wanted(-3)).isEqualTo(3);
        assertThat(ahead(5_000, 500, 0.25).wanted(-400)).isEqualTo(400);
    }

    @Test
    void forgetsARateAtOnceWhenFarFewerCallsCome() {
        assertThat(TakeAhead.rate(0.1, 10, 1_000, 2_000)).isEqualTo(0.01);
        assertThat(TakeAhead.rate(0.1, 80, 1_000, 2_000)).isBetween(0.08, 0.1);
        assertThat(TakeAhead.rate(0.1, 0, 100, 2_000)).isBetween(0.08, 0.1);
    }
}
