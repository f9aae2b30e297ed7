package example;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.StoreException;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.cell.Cell;
import dev.sluice.cell.CellText;
import dev.sluice.cell.Cells;
import dev.sluice.cell.ExchangeNews;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Applies one batch in one transaction. Not thread-safe. */
final class Exchange {

    /** How long an answer is kept, in case the batch is retried. */
    private static final long KEPT_MILLIS = TimeToLive.USUAL.sequence().toMillis();

    private final Connection connection;
    private final long now;
    private final Map<String, Cell> cells = new HashMap<>();
    private final TreeSet<String> found = new TreeSet<>();
    private final TreeSet<String> changed = new TreeSet<>();

    Exchange(Connection connection, long now) {
        this.connection = connection;
        this.now = now;
    }

    /** Applies the batch unless it was applied before. */
    Batch.Reply apply(Batch batch) throws SQLException {
        Answer last = lastAnswer(batch.instance());
        if (last != null && last.sequence() == batch.sequence()) {
            return new Batch.Reply(now, last.appliedAt(), last.grants(), List.of());
        }
        if (last != null && last.sequence() > batch.sequence()) {
            throw StoreException.stale("batch " + batch.sequence() + " of " + batch.instance() + " came after batch "
                    + last.sequence() + " and was not applied");
        }
        if (last == null && now - batch.madeMillis() >= KEPT_MILLIS) {
            throw StoreException.forgotten("batch " + batch.sequence() + " of " + batch.instance()
                    + " is so old that its answer may have been removed");
        }
        lockCells(batch);
        ExchangeNews news = new ExchangeNews();
        List<Batch.Grant> grants = new ArrayList<>();
        for (Batch.Statement statement : batch.statements()) {
            grants.add(grant(batch, statement, news));
        }
        writeCells();
        write(batch, new Answer(batch.sequence(), now, grants), last != null);
        NewsTable.write(connection, batch.instance(), news.all(), now);
        return new Batch.Reply(now, grants);
    }

    private Batch.Grant grant(Batch batch, Batch.Statement statement, ExchangeNews news) {
        List<Cell> before = statement.framesBefore().stream()
                .map(key -> Cells.frame(cells.get(key.text())))
                .toList();
        Cell cell = cells.get(statement.key().text());
        if (cell == null || !cell.counts(statement.rule())) {
            cell = Cells.of(statement.rule());
            cells.put(statement.key().text(), cell);
        }
        changed.add(statement.key().text());
        return cell.apply(batch, statement, before, news, now);
    }

    /**
     * Reads and locks the rows of all counters of the batch, always in the same order, so that transactions cannot
     * deadlock.
     */
    private void lockCells(Batch batch) throws SQLException {
        TreeSet<String> ids = new TreeSet<>();
        for (Batch.Statement statement : batch.statements()) {
            ids.add(statement.key().text());
            statement.framesBefore().stream().map(CounterKey::text).forEach(ids::add);
        }
        try (PreparedStatement row =
                connection.prepareStatement("select cell, expires_at from sluice_counter where id = ? for update")) {
            for (String id : ids) {
                row.setString(1, id);
                try (ResultSet rows = row.executeQuery()) {
                    if (rows.next()) {
                        found.add(id);
                        if (rows.getLong(2) > now) {
                            cells.put(id, CellText.read(rows.getString(1)));
                        }
                    }
                }
            }
        }
    }

    /**
     * If another transaction has inserted the same row meanwhile, this fails with a duplicate key. The transaction is
     * then retried, and finds the row.
     */
    private void writeCells() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                        "insert into sluice_counter (cell, expires_at, id) values (?, ?, ?)");
                PreparedStatement update = connection.prepareStatement(
                        "update sluice_counter set cell = ?, expires_at = ? where id = ?")) {
            for (String id : changed) {
                Cell cell = cells.get(id);
                PreparedStatement write = found.contains(id) ? update : insert;
                write.setString(1, CellText.of(cell));
                write.setLong(2, cell.expiresAtMillis());
                write.setString(3, id);
                write.addBatch();
            }
            insert.executeBatch();
            update.executeBatch();
        }
    }

    private Answer lastAnswer(String instance) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement(
                "select sequence, applied_at, grants from sluice_answer where instance = ? for update")) {
            row.setString(1, instance);
            try (ResultSet rows = row.executeQuery()) {
                return rows.next() ? Answer.read(rows.getLong(1), rows.getLong(2), rows.getString(3)) : null;
            }
        }
    }

    private void write(Batch batch, Answer answer, boolean isFound) throws SQLException {
        String sql = isFound
                ? "update sluice_answer set sequence = ?, applied_at = ?, grants = ?, expires_at = ? where instance = ?"
                : "insert into sluice_answer (sequence, applied_at, grants, expires_at, instance) values (?, ?, ?, ?,"
                        + " ?)";
        try (PreparedStatement write = connection.prepareStatement(sql)) {
            write.setLong(1, answer.sequence());
            write.setLong(2, answer.appliedAt());
            write.setString(3, answer.text());
            write.setLong(4, now + KEPT_MILLIS);
            write.setString(5, batch.instance());
            write.executeUpdate();
        }
    }
}
