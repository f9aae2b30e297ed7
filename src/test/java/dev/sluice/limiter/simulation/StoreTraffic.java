package dev.sluice.limiter.simulation;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts the exchanges of a fleet, and estimates the commands of the store. */
public final class StoreTraffic {

    private static final long COMMANDS_OF_A_SCRIPT = 3;
    private static final long COMMANDS_OF_HOLDINGS = 2;

    /** Every counter of a statement, with its rule. */
    public final Map<CounterKey, Rule> counters = new HashMap<>();

    private final Set<Holding> holdings = new HashSet<>();
    private long exchanges;
    private long heartbeats;
    private long statements;
    private long commands;
    private long recalls;

    /** An instance holds some of a counter. */
    private record Holding(String instance, CounterKey key) {}

    /**
     * Sums at one moment.
     *
     * @param exchanges round trips with a report or a request
     * @param heartbeats round trips of empty batches, which only show whether the store has lost data
     * @param commands of Redis, estimated
     * @param recalls how many instances were told to return what they hold
     */
    public record Sums(long exchanges, long heartbeats, long statements, long commands, long recalls) {

        Sums since(Sums before) {
            return new Sums(
                    exchanges - before.exchanges,
                    heartbeats - before.heartbeats,
                    statements - before.statements,
                    commands - before.commands,
                    recalls - before.recalls);
        }
    }

    public Sums sums() {
        return new Sums(exchanges, heartbeats, statements, commands, recalls);
    }

    /** The store has applied a batch. */
    public void exchanged(Batch batch, Batch.Reply reply) {
        if (batch.statements().isEmpty()) {
            heartbeats++;
        } else {
            exchanges++;
        }
        commands += COMMANDS_OF_A_SCRIPT;
        statements += batch.statements().size();
        for (int i = 0; i < batch.statements().size(); i++) {
            commands += commandsOf(
                    batch.instance(), batch.statements().get(i), reply.grants().get(i));
        }
    }

    private long commandsOf(String instance, Statement statement, Grant grant) {
        boolean born = counters.put(statement.key(), statement.rule()) == null;
        boolean corrected = grant.granted() < statement.needed().all() + statement.wanted();
        Holding holding = new Holding(instance, statement.key());
        boolean holdsNow = statement.held() + grant.granted() > 0;
        boolean heldBefore = holdsNow ? !holdings.add(holding) : holdings.remove(holding);
        return 1 + (born ? 1 : 0) + (corrected ? 1 : 0) + (holdsNow || heldBefore ? COMMANDS_OF_HOLDINGS : 0);
    }

    /** News of another instance's exchange were sent to an instance. */
    public void pushed(News news) {
        recalls += news.kind() == News.Kind.RECALLED ? 1 : 0;
    }
}
