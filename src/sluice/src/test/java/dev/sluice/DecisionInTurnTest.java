package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionInTurnTest {

    private final List<Object> happened = new ArrayList<>();

    private Decision queued(boolean mayWait) {
        return new Decision(Outcome.ADMITTED, null, null, List.of(), 3, 0, 0, new Ticket() {
            @Override
            public long delayMillis() {
                return 250;
            }

            @Override
            public boolean awaitTurn() throws InterruptedException {
                happened.add("waits");
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                return mayWait;
            }

            @Override
            public void ended(int status) {
                happened.add(status);
            }

            @Override
            public Charge charge(long amount) {
                return Charge.NOT_COUNTED;
            }

            @Override
            public boolean settle(long actual) {
                return false;
            }
        });
    }

    @Test
    void proceedsAfterItsTurnHasCome() {
        Decision decision = queued(true);
        assertThat(decision.inTurn()).isSameAs(decision);
        assertThat(happened).containsExactly("waits");
    }

    @Test
    void isRefusedAndHasEndedIfTooManyWait() {
        Decision busy = queued(false).inTurn();
        assertThat(busy.outcome()).isEqualTo(Outcome.REFUSED_BUSY);
        assertThat(busy.admitted()).isFalse();
        assertThat(busy.retryAfterMillis()).isEqualTo(250);
        assertThat(busy.ticket()).isNull();
        assertThat(happened).containsExactly("waits", 503);
    }

    @Test
    void isRefusedIfTheThreadIsInterruptedAndStaysSo() {
        Thread.currentThread().interrupt();
        assertThat(queued(true).inTurn().outcome()).isEqualTo(Outcome.REFUSED_BUSY);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(happened).containsExactly("waits", 503);
    }

    @Test
    void waitsForNothingIfItHasNoTicketOrIsRefused() {
        assertThat(Decision.UNLIMITED.inTurn()).isSameAs(Decision.UNLIMITED);
        Decision refused = queued(true).withOutcome(Outcome.REFUSED);
        assertThat(refused.inTurn()).isSameAs(refused);
        assertThat(happened).isEmpty();
    }
}
