package example;

import dev.sluice.exchange.CounterStore.News;
import dev.sluice.cell.ExchangeNews.Told;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * News for other instances. It is written in the transaction of the exchange, and each instance polls for it every few
 * milliseconds. With a database that can notify its clients, such as PostgreSQL with LISTEN, no polling would be
 * needed. Thread-safe.
 */
final class NewsTable implements AutoCloseable {

    private static final int PAUSE_MILLIS = 10;
    private static final int PAUSE_AFTER_A_FAULT_MILLIS = 1_000;
    /**
     * The number of earlier rows that each poll reads again, because transactions do not commit in the order of their
     * row numbers.
     */
    private static final int LOOKED_AT_AGAIN = 200;

    private final DataSource database;
    private final Map<String, Consumer<News>> listeners = new ConcurrentHashMap<>();
    private final Map<Long, Boolean> heard = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > 2 * LOOKED_AT_AGAIN;
        }
    };
    private Thread reader;
    private long last;

    NewsTable(DataSource database) {
        this.database = database;
    }

    static void write(Connection connection, String sender, List<Told> all, long now) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into sluice_news (sender, told, kind, counters, told_at) values (?, ?, ?, ?, ?)")) {
            for (Told told : all) {
                insert.setString(1, sender);
                insert.setString(2, told.instance());
                insert.setString(3, told.news().kind().name());
                insert.setString(4, String.join("\n", told.news().keys()));
                insert.setLong(5, now);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** Passes the news that other instances write from now on to this listener. */
    synchronized void subscribe(String instance, Consumer<News> listener) throws SQLException {
        if (reader == null) {
            try (Connection connection = database.getConnection()) {
                last = newest(connection);
            }
            reader = new Thread(this::read, "jdbc-counter-store-news");
            reader.setDaemon(true);
            reader.start();
        }
        listeners.put(instance, listener);
    }

    void unsubscribe(String instance) {
        listeners.remove(instance);
    }

    @Override
    public synchronized void close() {
        if (reader != null) {
            reader.interrupt();
        }
    }

    private void read() {
        try {
            while (true) {
                try {
                    readOnce();
                    Thread.sleep(PAUSE_MILLIS);
                } catch (SQLException e) {
                    Thread.sleep(PAUSE_AFTER_A_FAULT_MILLIS); // exchanges report a database that is unavailable
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void readOnce() throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "select id, sender, told, kind, counters from sluice_news where id > ? order by id")) {
            query.setLong(1, last - LOOKED_AT_AGAIN);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    News.Kind kind = News.Kind.valueOf(found.getString(4));
                    News news = new News(kind, Set.of(found.getString(5).split("\n")));
                    rows.add(new Row(found.getLong(1), found.getString(2), new Told(found.getString(3), news)));
                }
            }
        }
        for (Row row : rows) {
            boolean isNew = heard.put(row.id(), true) == null;
            if (isNew) {
                last = Math.max(last, row.id());
                tell(row);
            }
        }
    }

    private void tell(Row row) {
        listeners.forEach((instance, listener) -> {
            if (row.told().concerns(instance, row.sender())) {
                listener.accept(row.told().news());
            }
        });
    }

    /** Marks existing rows as read. */
    private long newest(Connection connection) throws SQLException {
        long newest = 0;
        try (PreparedStatement query = connection.prepareStatement("select id from sluice_news order by id");
                ResultSet found = query.executeQuery()) {
            while (found.next()) {
                newest = found.getLong(1);
                heard.put(newest, true);
            }
        }
        return newest;
    }

    private record Row(long id, String sender, Told told) {}
}
