package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.store.Exchanges;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The store tells its time, and counters end by it. */
public abstract class TimeContract extends ContractPart {

    protected TimeContract(StoreUnderTest tested) {
        super(tested);
    }

    @Test
    void tellsItsClock() {
        assertThat(exchange(store, batch(instance, 1, report(key("acme"), 1))).nowMillis())
                .isBetween(now() - 2000, now() + 2000);
    }

    @Test
    void tellsTheTimeAnewWhenABatchComesAgain() {
        Batch batch = batch(instance, 1, report(key("acme"), 1));
        long first = exchange(store, batch).nowMillis();
        letPass(Duration.ofMillis(50));
        assertThat(exchange(store, batch).nowMillis()).isGreaterThanOrEqualTo(first + 50);
    }

    /** But a frame lives as long as it counts for those after it. */
    @Test
    void countersGoSomeSecondsAfterTheirWindow() {
        long now = now();
        CounterKey ending = Exchanges.key(endpoint, "acme", now - 1000, now + 1000);
        CounterKey going = Exchanges.key(endpoint, "acme", now - 1000, now + 600_000);
        CounterKey past = Exchanges.key(endpoint, "acme", now - 20_000, now - 10_000);
        CounterKey frame = Exchanges.key(endpoint, "acme", now - 5_000, now - 2_000);
        exchange(
                store,
                batch(other, 1, statementOf(frame, new Rule.Frame(100, 3)).used(5)));
        exchange(store, batch(instance, 1, report(ending, 5), report(going, 5), report(past, 5)));
        letPass(Duration.ofMillis(500));
        assertThat(exchange(store, batch(instance, 2, report(ending, 1), report(going, 1), report(past, 1)))
                        .grants())
                .containsExactly(new Grant(6, 0, 0), new Grant(6, 0, 0), new Grant(6, 0, 0));
        letPass(MUCH_LATER);
        assertThat(exchange(store, batch(instance, 3, question(ending), question(going), question(past)))
                        .grants())
                .containsExactly(new Grant(0, 0, 0), new Grant(6, 0, 0), new Grant(0, 0, 0));
        assertThat(total(frame)).isEqualTo(5);
    }
}
