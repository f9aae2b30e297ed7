package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A call of which each header can have several lines, and which counts how often it is asked for them. */
final class Request implements Call {

    private final String peer;
    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> attributes = new HashMap<>();
    private final Map<String, Integer> asked = new HashMap<>();

    private Request(String peer) {
        this.peer = peer;
    }

    static Request from(String peer) {
        return new Request(peer);
    }

    Request with(String header, String... lines) {
        headers.computeIfAbsent(header, none -> new ArrayList<>()).addAll(List.of(lines));
        return this;
    }

    Request withAttribute(String attribute, String value) {
        attributes.put(attribute, value);
        return this;
    }

    @Override
    public @Nullable String attribute(String name) {
        return attributes.get(name);
    }

    int timesAsked(String header) {
        return asked.getOrDefault(header, 0);
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return "/";
    }

    @Override
    public String ip() {
        return peer;
    }

    @Override
    public @Nullable String header(String name) {
        asked.merge(name, 1, Integer::sum);
        List<String> lines = headers.getOrDefault(name, List.of());
        return lines.isEmpty() ? null : lines.get(0);
    }

    @Override
    public List<String> headers(String name) {
        asked.merge(name, 1, Integer::sum);
        return headers.getOrDefault(name, List.of());
    }
}
