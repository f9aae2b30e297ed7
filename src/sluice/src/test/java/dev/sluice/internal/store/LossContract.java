package dev.sluice.internal.store;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the server has lost data, each instance learns that once. */
public abstract class LossContract {

    protected final String instance = unique();
    protected final CounterKey acme = key(unique(), "acme", 0, System.currentTimeMillis() + 600_000);
    protected FaultyProxy proxy;
    protected CounterStore store;

    private final AtomicLong nanos = new AtomicLong();

    /** Of a server of this test alone. */
    protected abstract int serverPort();

    /** Opens a store that reaches the server at this port, with a steady clock that the test moves. */
    protected abstract CounterStore open(int port, AtomicLong nanoClock);

    /** Longer than the server keeps the record of an instance that changes nothing. */
    protected abstract long longNanos();

    /** Makes the server lose all counts. */
    protected abstract void forgetAll();

    /** Makes the server lose the last batch of the instance. */
    protected abstract void forgetRecord();

    protected abstract void stopServer();

    /** Starts it again, without data. */
    protected abstract void startServer();

    @BeforeEach
    void openStore() {
        proxy = new FaultyProxy(serverPort());
        store = open(proxy.port(), nanos);
    }

    @AfterEach
    void closeStore() {
        store.close();
        proxy.close();
    }

    protected final Batch numbered(long sequence) {
        return batch(instance, sequence, report(acme, 1));
    }

    protected final List<Loss> losses(Batch batch) {
        return exchangeInTheEnd(store, batch).losses();
    }

    protected static Loss allAfter(long sequence) {
        return new Loss(Loss.ALL_SHARDS, sequence);
    }

    /** A part of the time that is long in all, if it passes more often. */
    protected final void letPass(long passing) {
        nanos.addAndGet(passing);
    }

    @Test
    void nothingIsLostAsLongAsTheServerRemembers() {
        assertThat(losses(numbered(7))).isEmpty();
        assertThat(losses(numbered(7))).isEmpty();
        assertThat(losses(numbered(8))).isEmpty();
        assertThat(losses(numbered(12))).isEmpty();
        assertThat(losses(batch(instance, 13))).isEmpty();
        assertThat(losses(batch(instance, 14))).isEmpty();
        assertThat(losses(numbered(15))).isEmpty();
        assertThat(losses(batch(unique(), 1))).isEmpty();
    }

    @Test
    void reportsForgottenDataOnce() {
        losses(numbered(1));
        losses(numbered(2));
        forgetAll();
        assertThat(losses(numbered(3))).containsExactly(allAfter(0));
        assertThat(losses(numbered(4))).isEmpty();
    }

    @Test
    void reportsARestartWithoutData() {
        losses(numbered(1));
        stopServer();
        startServer();
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void reportsARestartDuringALongOutage() {
        losses(numbered(1));
        stopServer();
        letPass(longNanos());
        startServer();
        assertThat(losses(batch(unique(), 1))).as("another instance is first").isEmpty();
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void nothingIsLostIfOnlyTheRecordHasExpired() {
        losses(numbered(1));
        letPass(longNanos());
        forgetRecord();
        assertThat(losses(numbered(2))).isEmpty();
    }

    @Test
    void reportsAReplicaWithoutTheRecord() {
        losses(numbered(1));
        forgetRecord();
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
    }

    @Test
    void anEmptyBatchFindsOut() {
        losses(numbered(1));
        forgetAll();
        assertThat(losses(batch(instance, 2))).containsExactly(allAfter(0));
        assertThat(losses(batch(instance, 3))).isEmpty();
    }

    @Test
    void reportsALossAgainIfTheReplyWasLost() {
        losses(numbered(1));
        forgetAll();
        losses(batch(unique(), 1, report(acme, 1))); // a new beginning, which another instance makes
        proxy.cutNext(FaultyProxy.Cut.BEFORE_REPLY);
        assertThatThrownBy(() -> exchange(store, numbered(2))).isInstanceOf(StoreException.class);
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void aBatchWhoseReplyWasLostIsNoLoss() {
        losses(numbered(1));
        proxy.cutNext(FaultyProxy.Cut.BEFORE_REPLY);
        assertThatThrownBy(() -> exchange(store, numbered(2))).isInstanceOf(StoreException.class);
        assertThat(losses(numbered(3))).isEmpty();
    }
}
