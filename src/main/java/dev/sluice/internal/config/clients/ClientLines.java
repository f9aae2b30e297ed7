package dev.sluice.internal.config.clients;

import dev.sluice.internal.config.shape.Nearest;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.KnownClient;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a CSV table whose first line names the columns {@code client}, {@code name} and {@code plan}. Keeps
 * all texts in one string, so that a client takes about fifty bytes. Immutable.
 */
final class ClientLines {

    /** The most clients of a table. */
    static final int MOST = 1_000_000;

    private static final int LONGEST_VALUE = 256;
    private static final int MOST_SHOWN = 5;
    private static final Set<String> COLUMNS = Set.of("client", "name", "plan");
    private static final String HEAD = "the first line must name the columns, for example client,name,plan";

    /** For each client, its value and then its name. */
    private final String text;
    /** Where the text of each client begins; one more entry says where the last one ends. */
    private final int[] starts;

    private final byte[] valueLengths;
    /** For each client, the number of its plan; 0 for none. */
    private final short[] plans;

    private final List<String> planNames;
    /** A hash table with open addressing: the number of a client plus one; 0 for a free slot. */
    private final int[] slots;
    /** Warnings about the table; each message continues after the name of the table. */
    final Map<ProblemCode, String> doubts;

    private ClientLines(
            String text,
            int[] starts,
            byte[] valueLengths,
            short[] plans,
            List<String> planNames,
            int[] slots,
            Map<ProblemCode, String> doubts) {
        this.text = text;
        this.starts = starts;
        this.valueLengths = valueLengths;
        this.plans = plans;
        this.planNames = planNames;
        this.slots = slots;
        this.doubts = doubts;
    }

    /** The table cannot be used. The message names the lines, but quotes no client, which may be a secret. */
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
     * @param counted turns a client's value in the table into the value that counters use; {@code null} for a value
     *     that no caller can have
     * @param planNames the plans of the file
     */
    static ClientLines parse(String content, Function<String, @Nullable String> counted, Set<String> planNames)
            throws UnusableException {
        Draft draft = new Draft(counted, List.copyOf(planNames));
        int at = 0;
        for (int line = 1; at < content.length(); line++) {
            int end = content.indexOf('\n', at);
            int next = end < 0 ? content.length() : end + 1;
            end = end < 0 ? content.length() : end;
            draft.add(line, content.substring(at, end > at && content.charAt(end - 1) == '\r' ? end - 1 : end));
            at = next;
        }
        return draft.end();
    }

    int size() {
        return valueLengths.length;
    }

    /** The name of a client's plan; empty if it has none, or is not in the table. */
    String planOf(String value) {
        int client = find(value);
        return client < 0 || plans[client] == 0 ? "" : planNames.get(plans[client] - 1);
    }

    /** The name of a client; empty if it has none, or is not in the table. */
    String nameOf(String value) {
        int client = find(value);
        return client < 0 ? "" : text.substring(starts[client] + valueLengths[client], starts[client + 1]);
    }

    boolean lists(String value) {
        return find(value) >= 0;
    }

    /** All clients in the order of the table; empty if there are more than {@code most}. */
    List<ClientDirectory.Listed> listed(int most) {
        List<ClientDirectory.Listed> all = new ArrayList<>();
        for (int client = 0; client < valueLengths.length && valueLengths.length <= most; client++) {
            String value = text.substring(starts[client], starts[client] + valueLengths[client]);
            all.add(new ClientDirectory.Listed(value, planOf(value), nameOf(value)));
        }
        return all;
    }

    /** The values of the clients that have this name. */
    List<String> named(String name) {
        List<String> values = new ArrayList<>();
        for (int client = 0; client < valueLengths.length; client++) {
            int at = starts[client] + valueLengths[client];
            if (starts[client + 1] - at == name.length() && text.startsWith(name, at)) {
                values.add(text.substring(starts[client], at));
            }
        }
        return name.isEmpty() ? List.of() : values;
    }

    private int find(String value) {
        int mask = slots.length - 1;
        for (int slot = slot(value, mask); slots[slot] != 0; slot = (slot + 1) & mask) {
            int client = slots[slot] - 1;
            if (valueLengths[client] == value.length() && text.startsWith(value, starts[client])) {
                return client;
            }
        }
        return -1;
    }

    private static int slot(String value, int mask) {
        int mixed = value.hashCode() * 0x9E3779B9;
        return (mixed ^ (mixed >>> 16)) & mask;
    }

    /** Messages about lines. Keeps only the first ones, since a million lines may have the same mistake. */
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

        private final Function<String, @Nullable String> counted;
        private final List<String> planNames;
        private final Told mistakes = new Told();
        private final Told nameless = new Told();
        private final Told cut = new Told();
        private final Told starred = new Told();
        private final StringBuilder text = new StringBuilder();
        private final Numbers starts = new Numbers();
        private final Numbers lengths = new Numbers();
        private final Numbers plans = new Numbers();
        private final Numbers lines = new Numbers();
        private List<String> columns = List.of();

        Draft(Function<String, @Nullable String> counted, List<String> planNames) {
            this.counted = counted;
            this.planNames = planNames;
        }

        void add(int line, String written) {
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
                    columns = List.of("none"); // the other lines cannot be read
                    return;
                }
            }
            if (!columns.contains("client") || Set.copyOf(columns).size() < columns.size()) {
                mistake(line, () -> "there must be one column named client; " + HEAD);
                columns = List.of("none");
            }
        }

        private void add(int line, List<String> fields) {
            if (fields.size() != columns.size()) {
                mistake(line, () -> "it has " + fields.size() + " columns, but the first line has " + columns.size());
                return;
            }
            String value = column("client", fields);
            String written = column("name", fields);
            String name = KnownClient.isName(written) ? written : "";
            String stored = counted.apply(value);
            String plan = column("plan", fields);
            int number = plan.isEmpty() ? 0 : planNames.indexOf(plan) + 1;
            if (value.isEmpty() || value.length() > LONGEST_VALUE) {
                mistake(line, () -> "client has " + value.length() + " characters; write from 1 to " + LONGEST_VALUE);
            } else if (number == 0 && !plan.isEmpty()) {
                mistake(line, () -> Quote.of(plan) + " is not a plan; " + NameHints.plan(plan, planNames));
            } else if (stored == null) {
                mistake(line, () -> "client is not an address; write one such as 192.0.2.7 or 2001:db8::/64");
            } else if (starts.size < MOST) {
                starts.add(text.length());
                text.append(stored).append(name);
                lengths.add(stored.length());
                plans.add(number);
                lines.add(line);
                if (name.isEmpty() && !written.isEmpty()) {
                    nameless.add(line, () -> Quote.of(written) + " is not a valid client name; " + NameHints.CLIENT);
                }
                if (value.contains("*")) {
                    starred.add(line, () -> "it stands for itself; clients.list has stars that stand for anything");
                }
                if (!stored.equals(value) && !SecretDigest.damage(value).isEmpty()) {
                    cut.add(line, () -> "it " + SecretDigest.damage(value));
                }
            } else {
                mistake(line, () -> "there are more than " + MOST + " clients; use a ClientSource instead");
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

        ClientLines end() throws UnusableException {
            if (columns.isEmpty()) {
                mistake(1, () -> HEAD);
            }
            int size = starts.size;
            int[] all = starts.with(text.length());
            byte[] valueLengths = new byte[size];
            short[] planNumbers = new short[size];
            for (int i = 0; i < size; i++) {
                valueLengths[i] = (byte) lengths.all[i];
                planNumbers[i] = (short) plans.all[i];
            }
            int[] slots = new int[Integer.highestOneBit(Math.max(1, size)) * 4];
            ClientLines made =
                    new ClientLines(text.toString(), all, valueLengths, planNumbers, planNames, slots, doubts());
            for (int i = 0; i < size; i++) {
                String value = made.text.substring(all[i], all[i] + valueLengths[i]);
                int twin = made.find(value);
                if (twin >= 0) {
                    mistake(lines.all[i], () -> "this client is already in line " + lines.all[twin]);
                } else {
                    int slot = slot(value, slots.length - 1);
                    while (slots[slot] != 0) {
                        slot = (slot + 1) & (slots.length - 1);
                    }
                    slots[slot] = i + 1;
                }
            }
            if (!mistakes.first.isEmpty()) {
                throw new UnusableException(mistakes.toString());
            }
            return made;
        }
    }

    /** The fields of a line. A quoted field may contain commas, and writes a quote twice. */
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

    /** A growing array of numbers. */
    private static final class Numbers {

        private int[] all = new int[16];
        private int size;

        void add(int number) {
            all = size == all.length ? Arrays.copyOf(all, 2 * size) : all;
            all[size++] = number;
        }

        int[] with(int last) {
            int[] copy = Arrays.copyOf(all, size + 1);
            copy[size] = last;
            return copy;
        }
    }
}
