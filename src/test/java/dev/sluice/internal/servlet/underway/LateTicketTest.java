package dev.sluice.internal.servlet.underway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.sluice.Decision;
import dev.sluice.Ticket;
import dev.sluice.internal.servlet.contract.TicketFake;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A call that is parked before it is decided may end before or after its decision. Both are notified once. */
class LateTicketTest {

    private final CompletableFuture<Decision> deciding = new CompletableFuture<>();
    private final LateTicket ticket = new LateTicket(deciding);
    private final TicketFake tickets = TicketFake.atOnce();
    private final Ticket decided = tickets.decide(null).ticket();

    @Test
    void aCallThatEndsUndecidedCancelsItsDecision() {
        ticket.ended(Ticket.UNANSWERED);
        assertThat(deciding).isCancelled();
    }

    @Test
    void aDecisionThatComesAtTheEndIsEndedToo() {
        ticket.ended(Ticket.UNANSWERED);
        ticket.decided(decided);
        assertThat(tickets.furtherEnds()).containsExactly(Ticket.UNANSWERED);
    }

    @Test
    void aCallThatEndsDecidedEndsItsTicket() {
        ticket.decided(decided);
        ticket.ended(200);
        assertThat(tickets.furtherEnds()).containsExactly(200);
        assertThat(deciding).isNotDone();
    }

    @Test
    void chargesAndSettlesOnceItIsDecided() {
        assertThat(ticket.charge(1)).isFalse();
        ticket.decided(decided);
        assertThat(ticket.charge(2)).isTrue();
        assertThat(ticket.settle(3)).isTrue();
        assertThat(tickets.charged()).containsExactly(2L);
        assertThat(tickets.settled()).containsExactly(3L);
    }

    @Test
    void itsLimitJudgesLoginsOnceItIsDecided() {
        Ticket full = mock();
        assertThat(ticket.beginLogin()).isTrue();
        ticket.decided(full);
        assertThat(ticket.beginLogin()).isFalse();
        ticket.loginEnded(true);
        verify(full).loginEnded(true);
    }

    @Test
    void mayHaveNoTicketToEnd() {
        ticket.decided(null);
        ticket.ended(200);
        assertThat(ticket.charge(1)).isFalse();
        assertThat(ticket.beginLogin()).isTrue();
    }
}
