package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CutsContract;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Also where a batch is many script calls, and where Redis is late. */
@Tag("store")
class RedisExactlyOnceTest extends CutsContract {

    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Override
    protected int serverPort() {
        return redis.port();
    }

    @Override
    protected String uri(int port) {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    protected String patientUri(int port) {
        return uri(port) + "?timeout=15s";
    }

    @Override
    protected String hastyUri(int port) {
        return uri(port) + "?timeout=400ms";
    }

    @Override
    protected int cuts() {
        return 1_000;
    }

    @Test
    void aLongBatchOfManyScriptCallsIsAppliedOnceToo() {
        List<Statement> statements = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            statements.add(report(tenant("t" + i), 1));
        }
        FaultyProxy.Cut[] cuts = FaultyProxy.Cut.values();
        for (int sequence = 1; sequence <= 20; sequence++) {
            proxy.cutNext(cuts[sequence % cuts.length]);
            Batch.Reply reply = exchangeInTheEnd(store, new Batch(instance, sequence, statements));
            assertThat(reply.grants()).containsOnly(new Grant(sequence, 0, 0));
        }
    }

    @Test
    void anAnswerThatComesTooLateIsGivenAgain() {
        exchangeInTheEnd(hasty, batch(instance, 1, report(tenant("t"), 2)));
        proxy.delayReplies(Duration.ofMillis(600));
        Batch late = batch(instance, 2, report(tenant("t"), 5));
        assertThatThrownBy(() -> exchange(hasty, late)).hasMessageEndingWith(" did not answer in time: 400 ms");
        proxy.delayReplies(Duration.ZERO);
        assertThat(exchangeInTheEnd(hasty, late).grants()).containsExactly(new Grant(7, 0, 0));
        assertThat(total("t")).isEqualTo(7);
    }

    @Test
    void aServerThatStandsStillCountsOnceWhenItGoesOn() {
        exchangeInTheEnd(hasty, batch(instance, 1, report(tenant("t"), 1)));
        redis.freeze();
        Batch batch = batch(instance, 2, report(tenant("t"), 5));
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> exchange(hasty, batch)).isInstanceOf(StoreException.class);
        }
        redis.thaw();
        assertThat(exchangeInTheEnd(hasty, batch).grants()).containsExactly(new Grant(6, 0, 0));
        exchangeInTheEnd(hasty, batch(instance, 3, report(tenant("t"), 1)));
        assertThat(total("t")).isEqualTo(7);
    }
}
