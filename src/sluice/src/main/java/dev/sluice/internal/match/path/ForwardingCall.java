package dev.sluice.internal.match.path;

import dev.sluice.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call that forwards all methods to another call, except for the methods that are overridden. A class that overrides
 * {@link #header(String)} must also override {@link #headers(String)}. A class must also override either all three
 * query methods or none of them.
 */
public interface ForwardingCall extends Call {

    /** Returns the call to which this call forwards. */
    Call sent();

    @Override
    default String method() {
        return sent().method();
    }

    @Override
    default String path() {
        return sent().path();
    }

    @Override
    default @Nullable String otherPath() {
        return sent().otherPath();
    }

    @Override
    default List<String> welcomeFiles() {
        return sent().welcomeFiles();
    }

    @Override
    default String ip() {
        return sent().ip();
    }

    @Override
    default @Nullable String header(String name) {
        return sent().header(name);
    }

    @Override
    default List<String> headers(String name) {
        return sent().headers(name);
    }

    @Override
    default @Nullable String query(String name) {
        return sent().query(name);
    }

    @Override
    default int queryReadings() {
        return sent().queryReadings();
    }

    @Override
    default @Nullable String query(String name, int reading) {
        return sent().query(name, reading);
    }

    @Override
    default @Nullable String cookie(String name) {
        return sent().cookie(name);
    }

    @Override
    default @Nullable String attribute(String name) {
        return sent().attribute(name);
    }

    @Override
    default @Nullable String principal() {
        return sent().principal();
    }

    @Override
    default @Nullable String login() {
        return sent().login();
    }

    @Override
    default @Nullable String claim(String name) {
        return sent().claim(name);
    }

    @Override
    default @Nullable String argument(String name) {
        return sent().argument(name);
    }

    @Override
    default @Nullable String given(String source) {
        return sent().given(source);
    }

    @Override
    default @Nullable String session() {
        return sent().session();
    }

    @Override
    default boolean holdsThread() {
        return sent().holdsThread();
    }

    @Override
    default boolean holdsThread(boolean isMadeUp) {
        return sent().holdsThread(isMadeUp);
    }
}
