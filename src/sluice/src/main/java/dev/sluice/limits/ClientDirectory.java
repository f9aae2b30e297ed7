package dev.sluice.limits;

import java.util.List;

/**
 * Looks up the clients that are not listed in the limits file, but in a table or a {@link ClientSource}. The limiter
 * queries the directory for each call. The directory therefore responds from memory and never blocks. Thread-safe.
 */
public interface ClientDirectory {

    /** A directory without clients. */
    ClientDirectory EMPTY = new ClientDirectory() {
        @Override
        public String planOf(String source, String sent, String key) {
            return "";
        }

        @Override
        public String nameOf(String source, String key) {
            return "";
        }

        @Override
        public boolean lists(String key) {
            return false;
        }

        @Override
        public List<Named> named(String name) {
            return List.of();
        }
    };

    /**
     * The key of a client, and the source that yields it.
     *
     * @param source the name of the source that yields the key; empty if any source can yield it
     * @param key the value that identifies the client in counters: a hash if the key is secret
     */
    record Named(String source, String key) {}

    /**
     * Returns the plan of a caller if it is already known. Otherwise, this method might start a look-up on a background
     * thread.
     *
     * @param source the name of the source that found the value
     * @param sent the value as the caller sent it
     * @param key the value that identifies the caller in counters: a hash if the key is secret
     * @return the name of the plan; empty if unknown
     */
    String planOf(String source, String sent, String key);

    /** Returns the display name of the caller with this key; empty if unknown. Never starts a look-up. */
    String nameOf(String source, String key);

    /** Whether a client with this key is known. Never starts a look-up. */
    boolean lists(String key);

    /**
     * A client in a table.
     *
     * @param key the value that identifies the client in counters: a hash if the key is secret
     * @param plan the name of the client's plan; can be empty
     * @param name the client's display name; can be empty
     */
    record Listed(String key, String plan, String name) {}

    /**
     * Returns all clients in the table, always in the same order. The list is empty if there is no table, or if it
     * contains more than {@code most} clients.
     */
    default List<Listed> listed(int most) {
        return List.of();
    }

    /**
     * Returns the known clients with this display name. Scans all clients, so do not call this method for each request.
     */
    List<Named> named(String name);
}
