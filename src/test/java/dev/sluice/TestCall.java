package dev.sluice;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call made up for a test. */
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

    /** The same call of a tenant named in a header. */
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

    public TestCall with(String header, String value) {
        Map<String, String> more = new java.util.HashMap<>(headers);
        more.put(header, value);
        return new TestCall(method, path, ip, Map.copyOf(more));
    }
}
