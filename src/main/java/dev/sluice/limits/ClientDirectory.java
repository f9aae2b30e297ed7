package dev.sluice.limits;

import java.util.List;

/** Clients that are kept outside the list of the file, as a limiter asks for them. Never waits. Safe for any threads. */
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

    /** A value that a client is counted by, and the name of the source that found it; empty if any may have. */
    record Named(String source, String counted) {}

    /**
     * The name of a caller's plan as it is known now, which may make the directory look for the caller.
     *
     * @param source the name of the source that found the value
     * @param sent the value as the caller sent it
     * @param counted the value that it is counted by, which is a hash if it is secret
     * @return empty if nothing is known
     */
    String planOf(String source, String sent, String counted);

    /** The name for people of a caller that was counted; empty if none is known. Looks for nobody. */
    String nameOf(String source, String counted);

    /** Whether it is known to have a client that is counted by this value. Looks for nobody. */
    boolean lists(String counted);

    /** A client of a table: the value that it is counted by, its plan and its name, either of which may be empty. */
    record Listed(String counted, String plan, String name) {}

    /** All clients of a table, always in the same order; none if there are more than this, or if it is no table. */
    default List<Listed> listed(int most) {
        return List.of();
    }

    /** The clients that are known to have this name. Looks at all of them, so not for each call. */
    List<Named> named(String name);
}
