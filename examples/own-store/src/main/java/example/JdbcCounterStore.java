package example;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Counts in an SQL database. A batch is one transaction: it locks the rows of its counters, applies the statements, and
 * stores its answer. Thread-safe.
 */
class JdbcCounterStore implements CounterStore {

    private static final int THREADS = 4;
    private static final int ATTEMPTS = 20;
    private static final int MOST_PAUSE_MILLIS = 20;
    private static final long CLEAN_UP_MILLIS = 10_000;
    /**
     * The class of SQL states that means that a transaction was rolled back because another had locked or inserted the
     * same rows. Such a transaction is retried.
     */
    private static final String ROLLED_BACK = "40";

    private static final String DUPLICATE = "23505";
    private static final String LOCK_TIMEOUT = "HYT00";

    private final DataSource database;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, work -> {
        Thread thread = new Thread(work, "jdbc-counter-store");
        thread.setDaemon(true);
        return thread;
    });
    private final NewsTable news;
    private volatile long cleanUpAt;

    /** Creates the tables if they are missing. */
    JdbcCounterStore(DataSource database) throws SQLException, IOException {
        this.database = database;
        this.news = new NewsTable(database);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                InputStream script = JdbcCounterStore.class.getResourceAsStream("/counters.sql")) {
            statement.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        return CompletableFuture.supplyAsync(() -> applied(batch), threads);
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        try {
            news.subscribe(instance, listener);
        } catch (SQLException e) {
            throw StoreException.unavailable("the database has no news: " + e.getMessage(), e);
        }
    }

    @Override
    public void unsubscribe(String instance) {
        news.unsubscribe(instance);
    }

    @Override
    public void close() {
        news.close();
        threads.shutdownNow();
    }

    /** The time by the clock of the database, which all instances use. */
    long now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet time = statement.executeQuery("select current_timestamp")) {
            time.next();
            return time.getTimestamp(1).getTime();
        }
    }

    private Batch.Reply applied(Batch batch) {
        for (int attempt = 1; ; attempt++) {
            try {
                return inTransaction(batch);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !isWorthAnotherAttempt(e)) {
                    throw StoreException.unavailable("the database did not count: " + e.getMessage(), e);
                }
                pause();
            }
        }
    }

    private Batch.Reply inTransaction(Batch batch) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                long now = now(connection);
                cleanUp(connection, now);
                Batch.Reply reply = new Exchange(connection, now).apply(batch);
                connection.commit();
                return reply;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    /** Deletes counters, answers and news some time after they have expired. */
    private void cleanUp(Connection connection, long now) throws SQLException {
        if (now < cleanUpAt) {
            return;
        }
        cleanUpAt = now + CLEAN_UP_MILLIS;
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("delete from sluice_counter where expires_at < " + now);
            statement.executeUpdate("delete from sluice_answer where expires_at < " + now);
            statement.executeUpdate("delete from sluice_news where told_at < " + (now - CLEAN_UP_MILLIS));
        }
    }

    private static boolean isWorthAnotherAttempt(SQLException fault) {
        String state = String.valueOf(fault.getSQLState());
        return state.startsWith(ROLLED_BACK) || state.equals(DUPLICATE) || state.equals(LOCK_TIMEOUT);
    }

    /** Pauses for a random time, so that two colliding transactions do not retry at the same moment. */
    private static void pause() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, MOST_PAUSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable("the store is closed", e);
        }
    }
}
