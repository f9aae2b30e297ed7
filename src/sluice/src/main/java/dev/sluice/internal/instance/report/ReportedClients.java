package dev.sluice.internal.instance.report;

import dev.sluice.limits.ClientDirectory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The clients in a table that an instance has reported. Thread-safe once all clients have been added. */
final class ReportedClients implements ClientDirectory {

    private final Map<String, Listed> byKey = new HashMap<>();

    void add(Listed client) {
        byKey.put(client.key(), client);
    }

    boolean isEmpty() {
        return byKey.isEmpty();
    }

    @Override
    public String planOf(String source, String sent, String key) {
        Listed found = byKey.get(key);
        return found == null ? "" : found.plan();
    }

    @Override
    public String nameOf(String source, String key) {
        Listed found = byKey.get(key);
        return found == null ? "" : found.name();
    }

    @Override
    public boolean lists(String key) {
        return byKey.containsKey(key);
    }

    @Override
    public List<Named> named(String name) {
        return byKey.values().stream()
                .filter(client -> !name.isEmpty() && client.name().equals(name))
                .map(client -> new Named("", client.key()))
                .toList();
    }
}
