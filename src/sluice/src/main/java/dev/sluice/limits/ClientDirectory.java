package dev.sluice.limits;

import java.util.List;

/**
 * Looks up clients that are kept outside the file's list: in a table, or with a {@link ClientSource}. The limiter asks
 * it for each call, so it answers from memory and never blocks. Thread-safe.
 */
public interface ClientDirectory {

    /** A directory without clients. */
    ClientDirectory EMPTY = new ClientDirectory() {
        @Override
        public String planOf(String source, String sent, String counted) {
            return "";
        }

        @Override
        public String nameOf(String source, String counted) {
            return "";
        }

        @Override
        public boolean lists(String counted) {
            return false;
        }

        @Override
        public List<Named> named(String name) {
            return List.of();
        }
    };

    /**
     * A client's key.
     *
     * @param source the name of the source that yields the key; empty if any source may
     * @param counted the value that the client is counted by
     */
    record Named(String source, String counted) {}

    /**
     * The plan of a caller, as far as known now. May start a look-up of the caller in the background.
     *
     * @param source the name of the source that found the value
     * @param sent the value as the caller sent it
     * @param counted the value that the caller is counted by: a hash if it is secret
     * @return the name of the plan; empty if unknown
     */
    String planOf(String source, String sent, String counted);

    /** The display name of a counted caller; empty if unknown. Starts no look-up. */
    String nameOf(String source, String counted);

    /** Whether a client with this counted value is known. Starts no look-up. */
    boolean lists(String counted);

    /**
     * A client of a table.
     *
     * @param counted the value that it is counted by
     * @param plan the name of its plan; may be empty
     * @param name its display name; may be empty
     */
    record Listed(String counted, String plan, String name) {}

    /**
     * All clients of a table, always in the same order; empty if there are more than {@code most}, or there is no
     * table.
     */
    default List<Listed> listed(int most) {
        return List.of();
    }

    /** The known clients with this display name. Scans all clients, so do not call it for each request. */
    List<Named> named(String name);
}
