package dev.sluice.internal.limiter.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.shared.SharedPool;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckRequestsTest {

    private final PlayedLedger pools = new PlayedLedger();
    private final CheckRequests requests = new CheckRequests(2);

    @Test
    void areMadeOnceUntilTheyAreRead() {
        SharedPool pool = pools.pool("a");
        assertThat(requests.isEmpty()).isTrue();
        assertThat(requests.add(pool)).isTrue();
        assertThat(requests.add(pool)).isFalse();
        assertThat(requests.isEmpty()).isFalse();
        assertThat(requests.nextNewcomer()).isSameAs(pool);
        assertThat(requests.nextNewcomer()).isNull();
        assertThat(requests.add(pool)).isTrue();
    }

    @Test
    void ofNewcomersAreNoMoreThanFit() {
        List<SharedPool> three = pools.pools("new", 3);
        assertThat(requests.add(three.get(0))).isTrue();
        assertThat(requests.add(three.get(1))).isTrue();
        assertThat(requests.add(three.get(2))).isFalse();
        assertThat(requests.nextNewcomer()).isSameAs(three.get(0));
        assertThat(requests.add(three.get(2))).isTrue();
    }

    @Test
    void ofNewcomersForWhichCallsWaitAlwaysFit() {
        List<SharedPool> three = pools.pools("new", 3);
        three.subList(0, 2).forEach(requests::add);
        pools.waits(three.get(2), 1);
        three.get(2).noteCheckRequested(false); // another ledger has noted it
        assertThat(requests.add(three.get(2))).isTrue();
    }

    @Test
    void ofPoolsWithAnAccountAlwaysFit() {
        List<SharedPool> three = pools.pools("opened", 3);
        pools.check(three);
        assertThat(three).allMatch(requests::add);
        assertThat(requests.nextNewcomer()).isNull();
        assertThat(requests.nextOpened()).isSameAs(three.get(0));
    }
}
