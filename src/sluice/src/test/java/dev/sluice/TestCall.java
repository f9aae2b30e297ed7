package dev.sluice;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call for tests. */
public record TestCall(String method, String path, String ip, Map<String, String> headers) implements Call {

    public static TestCall get(String path) {
        return new TestCall("GET", path, "192.0.2.1", Map.of());
    }

    public static TestCall post(String path) {
        return get(path).by("POST");
    }

    public TestCall by(String otherMethod) {
        return new TestCall(otherMethod, path, ip, headers);
    }

    public TestCall from(String otherIp) {
        return new TestCall(method, path, otherIp, headers);
    }

    /** The same call, of a tenant that a header names. */
    public TestCall of(String tenant) {
        return new TestCall(method, path, ip, Map.of("X-Org-Id", tenant));
    }

    @Override
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    @Override
    public @Nullable String principal() {
        return headers.get("principal");
    }

    @Override
    public @Nullable String login() {
        return headers.get("login");
    }

    @Override
    public @Nullable String session() {
        return headers.get("session");
    }

    @Override
    public @Nullable String query(String name) {
        return headers.get("query:" + name);
    }

    @Override
    public @Nullable String cookie(String name) {
        return headers.get("cookie:" + name);
    }

    @Override
    public @Nullable String attribute(String name) {
        return headers.get("attribute:" + name);
    }

    @Override
    public @Nullable String claim(String name) {
        return headers.get("claim:" + name);
    }

    public TestCall with(String header, String value) {
        Map<String, String> more = new java.util.HashMap<>(headers);
        more.put(header, value);
        return new TestCall(method, path, ip, Map.copyOf(more));
    }
}
