package dev.sluice.benchmarks.fleet.steady;

/** The names of the tenants of one play, by window; ready-made, so that making them costs no call anything. */
final class Names {

    private final String[][] names;

    private Names(String[][] names) {
        this.names = names;
    }

    /**
     * Makes names that were never used before.
     *
     * @param play tells plays apart
     * @param windows so many, and one before them
     * @param newEachWindow so many of the tenants have another name in each window
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

    /** The name of a tenant in a window; window -1 is before the first. */
    String of(int window, int tenant) {
        return names[window + 1][tenant];
    }
}
