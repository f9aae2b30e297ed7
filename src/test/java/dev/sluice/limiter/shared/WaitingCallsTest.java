package dev.sluice.limiter.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Need;
import dev.sluice.limiter.shared.WaitingCalls.WaitingCall;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingCallsTest {

    private static final SharedSnapshot SNAPSHOT = SharedSnapshotTest.snapshot(SharedSnapshot.Mode.SHARED, 0, 0, 0, 0);

    private final WaitingCalls waiting = new WaitingCalls();

    @Test
    void addsUpWhatTheyNeedAndKnowsTheLeast() {
        waiting.add(3, 3, true);
        WaitingCall second = waiting.add(2, 2, true);
        WaitingCall third = waiting.add(2, 2, true);
        assertThat(waiting.ask(0, false)).isEqualTo(new Need(7, 2, false));
        waiting.remove(second);
        assertThat(waiting.ask(0, false)).isEqualTo(new Need(5, 2, false));
        waiting.remove(third);
        assertThat(waiting.ask(0, false)).isEqualTo(new Need(3, 3, true));
    }

    @Test
    void whatIsInHandIsNotLacking() {
        waiting.add(3, 3, true);
        waiting.add(2, 2, true);
        assertThat(waiting.ask(1, false)).isEqualTo(new Need(4, 1, false));
        assertThat(waiting.ask(4, false)).isEqualTo(new Need(1, 1, false));
        assertThat(waiting.ask(5, false)).isEqualTo(Need.NONE);
    }

    @Test
    void isEmptyWhenNoneWaits() {
        assertThat(waiting.isEmpty()).isTrue();
        WaitingCall call = waiting.add(1, 1, true);
        assertThat(waiting.isEmpty()).isFalse();
        waiting.remove(call);
        assertThat(waiting.isEmpty()).isTrue();
        assertThat(waiting.ask(0, false)).isEqualTo(Need.NONE);
    }

    @Test
    void knowsWhetherAllPassWithWhatTheyLack() {
        waiting.add(1, 1, true);
        WaitingCall undecided = waiting.add(1, 1, false);
        assertThat(waiting.ask(0, false).isUsedAtOnce()).isFalse();
        waiting.remove(undecided);
        assertThat(waiting.ask(0, false).isUsedAtOnce()).isTrue();
    }

    @Test
    void aPartOfWhatSeveralLackMayBeTooLittleForAny() {
        WaitingCall one = waiting.add(3, 3, true);
        assertThat(waiting.ask(0, false)).as("all or nothing").isEqualTo(new Need(3, 3, true));
        waiting.add(3, 3, true);
        assertThat(waiting.ask(0, false)).as("five of six").isEqualTo(new Need(6, 3, false));
        waiting.remove(one);
        assertThat(waiting.ask(0, false).isUsedAtOnce()).isTrue();
    }

    @Test
    void admitsWhoCameFirstWithWhatWasGranted() {
        WaitingCall first = waiting.add(2, 2, true);
        WaitingCall undecided = waiting.add(1, 1, false);
        WaitingCall tooMuch = waiting.add(5, 5, true);
        WaitingCall fourth = waiting.add(1, 1, true);
        waiting.ask(0, false);
        WaitingCall later = waiting.add(1, 1, true);
        assertThat(waiting.admit(4, 7)).isEqualTo(3);
        assertThat(first.news).as("told later").isNotDone();
        waiting.wakeAdmitted(SNAPSHOT);
        assertThat(first.news).isCompletedWithValue(true);
        assertThat(waiting.remove(first)).isEqualTo(2 + 7);
        assertThat(waiting.remove(fourth)).isEqualTo(1 + 7);
        assertThat(List.of(undecided, tooMuch, later)).allMatch(call -> waiting.remove(call) < 0);
        assertThat(undecided.news).isNotDone();
    }

    @Test
    void whoCameFirstIsServedFirstAndTheOthersAreRefused() {
        WaitingCall first = waiting.add(2, 2, true);
        WaitingCall tooMuch = waiting.add(5, 5, true);
        WaitingCall third = waiting.add(1, 1, true);
        waiting.ask(0, false);
        WaitingCall later = waiting.add(1, 1, true);
        waiting.serveOrRefuse(3);
        assertThat(first.news).isCompletedWithValue(true);
        assertThat(third.news).isCompletedWithValue(true);
        assertThat(tooMuch.news).isCompletedWithValue(false);
        assertThat(later.news).as("the store was not asked for it").isCompletedWithValue(true);
        assertThat(waiting.isAnyAsking()).isFalse();
        assertThat(waiting.ask(0, false)).as("the woken look for themselves").isEqualTo(Need.NONE);
    }

    @Test
    void theStoreIsNotAskedForWokenCallsButTheyTakeWhatIsInHand() {
        WaitingCall first = waiting.add(1, 1, true);
        WaitingCall second = waiting.add(1, 1, true);
        waiting.wakeAll();
        assertThat(waiting.ask(0, false)).isEqualTo(Need.NONE);
        waiting.add(1, 1, true);
        assertThat(waiting.ask(2, false)).as("both are for the woken").isEqualTo(new Need(1, 1, true));
        assertThat(waiting.ask(0, false)).isEqualTo(new Need(1, 1, true));
        assertThat(waiting.admit(3, 0)).as("only for the third").isEqualTo(1);
        waiting.remove(first);
        waiting.remove(second);
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void whoBeganToWaitAfterOthersToldWhatTheyHaveFreeAsksAgain() {
        WaitingCall first = waiting.add(1, 1, true);
        waiting.ask(0, false);
        WaitingCall later = waiting.add(1, 1, true);
        waiting.ask(0, true);
        waiting.serveOrRefuse(0);
        assertThat(first.news).isCompletedWithValue(false);
        assertThat(later.news).isCompletedWithValue(true);
    }

    @Test
    void onePermitSufficesForCallsThatAreChargedLater() {
        WaitingCall first = waiting.add(0, 1, false);
        WaitingCall second = waiting.add(0, 1, false);
        assertThat(waiting.ask(0, false)).isEqualTo(new Need(1, 1, false));
        waiting.serveOrRefuse(1);
        assertThat(first.news).isCompletedWithValue(true);
        assertThat(second.news).isCompletedWithValue(true);
    }

    @Test
    void theOthersWaitOnWhileMoreMayCome() {
        WaitingCall first = waiting.add(2, 2, true);
        WaitingCall second = waiting.add(2, 2, true);
        waiting.ask(0, false);
        waiting.wakeCovered(3);
        assertThat(first.news).isCompletedWithValue(true);
        assertThat(second.news).isNotDone();
        waiting.wakeAll();
        assertThat(second.news).isCompletedWithValue(true);
    }
}
