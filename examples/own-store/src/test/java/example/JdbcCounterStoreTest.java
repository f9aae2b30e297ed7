package example;

import dev.sluice.exchange.CounterStore;
import dev.sluice.store.CounterStoreContract;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.jdbcx.JdbcConnectionPool;

/** The contract of every store, with a clock that the test sets. */
class JdbcCounterStoreTest extends CounterStoreContract {

    private final AtomicLong clock = new AtomicLong(1_795_500_000_000L);
    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Override
    protected CounterStore open() {
        JdbcConnectionPool pool = JdbcConnectionPool.create(database, "sa", "");
        try {
            return new JdbcCounterStore(pool) {
                @Override
                long now(Connection connection) {
                    return clock.get();
                }

                @Override
                public void close() {
                    super.close();
                    pool.dispose();
                }
            };
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected long now() {
        return clock.get();
    }

    @Override
    protected void letPass(Duration time) {
        clock.addAndGet(time.toMillis());
    }

    /** Each takes an SQL statement of its own. */
    @Override
    protected int manyStatements() {
        return 500;
    }

    /** The store does not. While the database is unavailable, instances use {@code store.instances}. */
    @Override
    protected boolean countsInstances() {
        return false;
    }
}
