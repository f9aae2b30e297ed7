package dev.sluice.benchmarks.fleet.steady;

/**
 * The tenants' names in one play, by window. They are created in advance, so that calls do not include the cost of
 * creating them.
 */
final class Names {

    private final String[][] names;

    private Names(String[][] names) {
        this.names = names;
    }

    /**
     * Creates names that have never been used before.
     *
     * @param play the number of the play, which is part of the names
     * @param windows the number of windows, excluding the one before the first measured window
     * @param newEachWindow the number of tenants that get a new name in each window
     */
    static Names of(int play, int windows, int newEachWindow) {
        String[][] names = new String[windows + 1][Article.TENANTS];
        for (int window = 0; window <= windows; window++) {
            for (int tenant = 0; tenant < Article.TENANTS; tenant++) {
                names[window][tenant] = "tenant-%d-%d-%d".formatted(play, tenant < newEachWindow ? window : 0, tenant);
            }
        }
        return new Names(names);
    }

    /** The name of a tenant in a window. Window -1 is the one before the first measured window. */
    String of(int window, int tenant) {
        return names[window + 1][tenant];
    }
}
