package dev.sluice.cli;

import dev.sluice.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call as it would be if this caller had made it.
 *
 * @param sent the call as it came
 */
record CallerCall(Call sent, Caller caller) implements Call {

    @Override
    public String method() {
        return sent.method();
    }

    @Override
    public String path() {
        return sent.path();
    }

    @Override
    public @Nullable String otherPath() {
        return sent.otherPath();
    }

    @Override
    public String ip() {
        return caller.ip();
    }

    @Override
    public @Nullable String header(String name) {
        return sent.header(name);
    }

    @Override
    public List<String> headers(String name) {
        return sent.headers(name);
    }

    @Override
    public @Nullable String query(String name) {
        return sent.query(name);
    }

    @Override
    public int queryReadings() {
        return sent.queryReadings();
    }

    @Override
    public @Nullable String query(String name, int reading) {
        return sent.query(name, reading);
    }

    @Override
    public @Nullable String cookie(String name) {
        return sent.cookie(name);
    }

    @Override
    public @Nullable String attribute(String name) {
        return caller.attributes().get(name);
    }

    @Override
    public @Nullable String principal() {
        return caller.user();
    }

    @Override
    public @Nullable String claim(String name) {
        return caller.claims().get(name);
    }

    @Override
    public @Nullable String session() {
        return caller.session();
    }
}
