package dev.sluice.internal.limiter.simulation;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import java.util.HashMap;
import java.util.Map;

/** Counts the exchanges of a fleet, and estimates the commands of the store. */
public final class StoreTraffic {

    /** EVALSHA, TIME and HMGET; HSET if anything changes, or stays held. */
    private static final long COMMANDS_OF_A_BATCH = 3;
    /**
     * MGET for all counters. Each of them needs SET or INCRBY, if its total changes; what is held needs no more
     * commands.
     */
    private static final long COMMANDS_OF_ANY_COUNTERS = 1;

    /** Every counter of a statement, with its rule. */
    public final Map<CounterKey, Rule> counters = new HashMap<>();

    private final Map<Holding, Long> holdings = new HashMap<>();
    private long exchanges;
    private long heartbeats;
    private long statements;
    private long commands;
    private long recalls;
    private long pushes;

    /** An instance holds some of a counter. */
    private record Holding(String instance, CounterKey key) {}

    /**
     * Sums at one moment.
     *
     * @param exchanges round trips with a report or a request
     * @param heartbeats round trips of empty batches, which only show whether the store has lost data
     * @param commands of Redis, estimated
     * @param recalls how many instances were told to return what they hold
     * @param pushes how many messages the store sent to instances
     */
    public record Sums(long exchanges, long heartbeats, long statements, long commands, long recalls, long pushes) {

        Sums since(Sums before) {
            return new Sums(
                    exchanges - before.exchanges,
                    heartbeats - before.heartbeats,
                    statements - before.statements,
                    commands - before.commands,
                    recalls - before.recalls,
                    pushes - before.pushes);
        }
    }

    public Sums sums() {
        return new Sums(exchanges, heartbeats, statements, commands, recalls, pushes);
    }

    /** The store has applied a batch. */
    public void exchanged(Batch batch, Batch.Reply reply) {
        if (batch.statements().isEmpty()) {
            heartbeats++;
        } else {
            exchanges++;
        }
        statements += batch.statements().size();
        boolean isAnyReturned = false;
        boolean isAnyChanged = batch.presence() != Batch.Presence.NOT_STATED;
        for (int i = 0; i < batch.statements().size(); i++) {
            Statement statement = batch.statements().get(i);
            Grant grant = reply.grants().get(i);
            counters.put(statement.key(), statement.rule());
            Holding holding = new Holding(batch.instance(), statement.key());
            long after = statement.held() + grant.granted();
            long before = holdings.getOrDefault(holding, 0L);
            long held = after
                    - statement
                            .needed()
                            .usedOf(Math.min(grant.granted(), statement.needed().all()));
            commands += statement.used() + after == before ? 0 : 1;
            isAnyReturned |= before > 0 && held == 0;
            boolean waits = grant.isShortOf(statement) && grant.elsewhere() > 0;
            isAnyChanged |= statement.used() != 0 || after != 0 || before != 0 || waits;
            holdings.put(holding, held);
        }
        commands += COMMANDS_OF_A_BATCH + (isAnyChanged ? 1 : 0) + (isAnyReturned ? 1 : 0);
        commands += batch.statements().isEmpty() ? 0 : COMMANDS_OF_ANY_COUNTERS;
    }

    /** News of another instance's exchange were sent to an instance. */
    public void pushed(News news) {
        pushes++;
        recalls += news.kind() == News.Kind.RECALLED ? 1 : 0;
    }
}
