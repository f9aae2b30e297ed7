package dev.sluice.cli.rehearse.tally.client;

/** What one client asks for in windows of one period: in the window that is open, and at most in any. */
public final class ClientWindow {

    private long startMillis;
    private long endMillis;
    private long asked;
    private long admitted;
    private long peak;

    ClientWindow() {}

    /** Opens the window with this beginning and end. */
    public void open(long atMillis, long untilMillis) {
        startMillis = atMillis;
        endMillis = untilMillis;
        asked = 0;
        admitted = 0;
    }

    public void ask(long amount, long admittedOfIt) {
        asked += amount;
        admitted += admittedOfIt;
        peak = Math.max(peak, asked);
    }

    public long startMillis() {
        return startMillis;
    }

    public long endMillis() {
        return endMillis;
    }

    /** What was asked for in the open window so far. */
    public long asked() {
        return asked;
    }

    /** What was admitted of it. */
    public long admitted() {
        return admitted;
    }

    /** The most that was asked for in one window. */
    long peak() {
        return peak;
    }
}
