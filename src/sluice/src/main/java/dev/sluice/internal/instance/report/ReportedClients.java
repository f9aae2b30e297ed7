package dev.sluice.internal.instance.report;

import dev.sluice.limits.ClientDirectory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The clients of a table, as an instance has reported them. Not thread-safe while clients are added. */
final class ReportedClients implements ClientDirectory {

    private final Map<String, Listed> byCounted = new HashMap<>();

    void add(Listed client) {
        byCounted.put(client.counted(), client);
    }

    boolean isEmpty() {
        return byCounted.isEmpty();
    }

    @Override
    public String planOf(String source, String sent, String counted) {
        Listed found = byCounted.get(counted);
        return found == null ? "" : found.plan();
    }

    @Override
    public String nameOf(String source, String counted) {
        Listed found = byCounted.get(counted);
        return found == null ? "" : found.name();
    }

    @Override
    public boolean lists(String counted) {
        return byCounted.containsKey(counted);
    }

    @Override
    public List<Named> named(String name) {
        return byCounted.values().stream()
                .filter(client -> !name.isEmpty() && client.name().equals(name))
                .map(client -> new Named("", client.counted()))
                .toList();
    }
}
