package dev.sluice.internal.config.clients;

import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.KnownClient;
import java.io.Serial;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients in a CSV table. The first line of the table contains the column names: {@code client}, {@code name} and
 * {@code plan}. Immutable.
 */
final class CsvClients {

    /** The maximum number of clients in a table. */
    static final int MOST = 100_000;

    private static final int LONGEST_VALUE = 256;
    private static final int MOST_SHOWN = 5;
    private static final Set<String> COLUMNS = Set.of("client", "name", "plan");
    private static final String HEAD = "the first line must name the columns, for example client,name,plan";

    /** The rows in table order, by the client's key in counters. */
    private final Map<String, Row> rows;
    /** Warnings about the table, by code. Each message completes a sentence that begins with the table's name. */
    final Map<ProblemCode, String> doubts;

    private CsvClients(Map<String, Row> rows, Map<ProblemCode, String> doubts) {
        this.rows = rows;
        this.doubts = doubts;
    }

    /** A client's name, plan and line number in the table. The name and the plan can be empty. */
    private record Row(String name, String plan, int line) {
        private static final Row NONE = new Row("", "", 0);
    }

    /**
     * Thrown if the table cannot be used. The message lists the lines but does not quote clients, because a client's
     * value can be a secret.
     */
    static final class UnusableException extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        private UnusableException(String message) {
            super(message);
        }
    }

    /**
     * Reads a table.
     *
     * @param toKey a function that converts a client's value in the table to the client's key in counters. It returns
     *     {@code null} for a value that no caller can have
     * @param plans the names of the plans in the file
     */
    static CsvClients parse(String content, Function<String, @Nullable String> toKey, Set<String> plans)
            throws UnusableException {
        Draft draft = new Draft(toKey, plans);
        Iterator<String> lines = content.lines().iterator();
        for (int line = 1; lines.hasNext(); line++) {
            draft.add(line, lines.next());
        }
        return draft.end();
    }

    int size() {
        return rows.size();
    }

    /** Returns the name of a client's plan; empty if the client has no plan or is not in the table. */
    String planOf(String value) {
        return rows.getOrDefault(value, Row.NONE).plan;
    }

    /** Returns the name of a client; empty if the client has no name or is not in the table. */
    String nameOf(String value) {
        return rows.getOrDefault(value, Row.NONE).name;
    }

    boolean lists(String value) {
        return rows.containsKey(value);
    }

    /** Returns all clients in the order of the table; empty if there are more than {@code most} clients. */
    List<ClientDirectory.Listed> listed(int most) {
        return rows.size() > most
                ? List.of()
                : rows.entrySet().stream()
                        .map(row -> new ClientDirectory.Listed(row.getKey(), row.getValue().plan, row.getValue().name))
                        .toList();
    }

    /** Returns the values of the clients with this name. */
    List<String> named(String name) {
        return name.isEmpty()
                ? List.of()
                : rows.entrySet().stream()
                        .filter(row -> row.getValue().name.equals(name))
                        .map(Map.Entry::getKey)
                        .toList();
    }

    /** Collects messages about lines. Stores only the first few, because many lines can contain the same mistake. */
    private static final class Told {
        private final List<String> first = new ArrayList<>();
        private int others;

        void add(int line, Supplier<String> what) {
            if (first.size() < MOST_SHOWN) {
                first.add("line " + line + ": " + what.get());
            } else {
                others++;
            }
        }

        @Override
        public String toString() {
            return String.join("; ", first) + (others > 0 ? "; and " + others + " more" : "");
        }
    }

    /** A table that is being read. Not thread-safe. */
    private static final class Draft {

        private final Function<String, @Nullable String> toKey;
        private final Set<String> plans;
        private final Told mistakes = new Told();
        private final Told nameless = new Told();
        private final Told cut = new Told();
        private final Told starred = new Told();
        private final Map<String, Row> rows = new LinkedHashMap<>();
        private List<String> columns = List.of();

        Draft(Function<String, @Nullable String> toKey, Set<String> plans) {
            this.toKey = toKey;
            this.plans = plans;
        }

        void add(int line, String written) throws UnusableException {
            if (written.isBlank()) {
                return;
            }
            List<String> fields = fields(written);
            if (columns.isEmpty()) {
                columns = fields;
                checkColumns(line);
            } else if (columns.contains("client")) {
                add(line, fields);
            }
        }

        private void checkColumns(int line) {
            for (String column : columns) {
                if (!COLUMNS.contains(column)) {
                    String meant = Nearest.to(column, COLUMNS);
                    mistake(line, () -> meant == null ? HEAD : "did you mean the column " + meant + "? " + HEAD);
                    columns = List.of("none"); // without valid columns, the other lines cannot be read
                    return;
                }
            }
            if (!columns.contains("client") || Set.copyOf(columns).size() < columns.size()) {
                mistake(line, () -> "exactly one column must be named client; " + HEAD);
                columns = List.of("none");
            }
        }

        private void add(int line, List<String> fields) throws UnusableException {
            if (fields.size() != columns.size()) {
                mistake(line, () -> "it has " + fields.size() + " columns, but the first line has " + columns.size());
                return;
            }
            String value = column("client", fields);
            String plan = column("plan", fields);
            String stored = toKey.apply(value);
            if (value.isEmpty() || value.length() > LONGEST_VALUE) {
                mistake(line, () -> "client has " + value.length() + " characters; write 1 to " + LONGEST_VALUE);
            } else if (!plan.isEmpty() && !plans.contains(plan)) {
                mistake(line, () -> Quote.of(plan) + " is not a plan; " + NameHints.plan(plan, plans));
            } else if (stored == null) {
                mistake(line, () -> "client is not an address; write one such as 192.0.2.7 or 2001:db8::/64");
            } else {
                add(line, value, stored, column("name", fields), plan);
            }
        }

        private void add(int line, String value, String stored, String name, String plan) throws UnusableException {
            boolean isUsable = KnownClient.isName(name);
            Row twin = rows.putIfAbsent(stored, new Row(isUsable ? name : "", plan, line));
            if (twin != null) {
                mistake(line, () -> "this client is already in line " + twin.line);
            }
            if (rows.size() > MOST) {
                throw new UnusableException("line " + line + ": a table can contain at most " + MOST
                        + " clients; use a ClientSource instead, because Sluice "
                        + "queries it for one client at a time");
            }
            if (!isUsable && !name.isEmpty()) {
                nameless.add(line, () -> Quote.of(name) + " is not a valid client name; " + NameHints.CLIENT);
            }
            if (value.contains("*")) {
                starred.add(
                        line,
                        () -> "in a table, a star is an ordinary character; write a client with a wildcard in "
                                + "clients.list");
            }
            if (!stored.equals(value) && !SecretDigest.damage(value).isEmpty()) {
                cut.add(line, () -> "it " + SecretDigest.damage(value));
            }
        }

        private String column(String name, List<String> fields) {
            int at = columns.indexOf(name);
            return at < 0 ? "" : fields.get(at);
        }

        private void mistake(int line, Supplier<String> what) {
            mistakes.add(line, what);
        }

        private Map<ProblemCode, String> doubts() {
            Map<ProblemCode, String> doubts = new EnumMap<>(ProblemCode.class);
            if (!nameless.first.isEmpty()) {
                doubts.put(ProblemCode.NAMELESS_CLIENTS, "has client names that cannot be used: " + nameless);
            }
            if (!starred.first.isEmpty()) {
                doubts.put(ProblemCode.IDLE_CLIENT, "has clients with a star: " + starred);
            }
            if (!cut.first.isEmpty()) {
                doubts.put(
                        ProblemCode.CUT_HASH,
                        "has clients that look like truncated hashes: " + cut + "; " + NameHints.CUT);
            }
            return doubts;
        }

        CsvClients end() throws UnusableException {
            if (columns.isEmpty()) {
                mistake(1, () -> HEAD);
            }
            if (!mistakes.first.isEmpty()) {
                throw new UnusableException(mistakes.toString());
            }
            return new CsvClients(rows, doubts());
        }
    }

    /** Splits a line into fields. A quoted field can contain commas. Quotes inside a quoted field are doubled. */
    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean isDoubled = isQuoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"';
            if (isDoubled) {
                field.append(c);
                i++;
            } else if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == ',' && !isQuoted) {
                fields.add(field.toString().strip());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString().strip());
        return fields;
    }
}
