package dev.sluice.limiter;

/** Places for calls under way in this process: whoever takes one puts it back in the end. */
final class Places extends LastingCounter {

    private final Permits permits;

    /** All places are free. */
    Places(CounterFamily family, Object values) {
        super(family, values);
        this.permits = new Permits(most());
    }

    @Override
    public long take(long cost, long remaining, long nowMillis, int holders) {
        return permits.take(cost, remaining + shut(), holders);
    }

    @Override
    public void keep() {
        permits.keep();
    }

    @Override
    public void giveBack(long cost, long reading, long takenAtMillis) {
        permits.giveBack(cost);
    }

    @Override
    public void putBack(long cost, long reading, long takenAtMillis) {
        permits.pour(cost);
    }

    @Override
    public void charge(long amount, long nowMillis) {
        // what is paid afterwards takes no place
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return permits.surelyShortOf(cost + shut());
    }

    @Override
    public long reading(long nowMillis) {
        return permits.left();
    }

    @Override
    public long rest(long reading, long nowMillis) {
        return reading;
    }

    @Override
    public long resetMillis(long reading, long nowMillis) {
        return permits.left() == most() ? 0 : SOON_MILLIS;
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return SOON_MILLIS;
    }

    /** Places are worth remembering while a call is under way, however few of them it has. */
    @Override
    boolean mostlySpent(long nowMillis) {
        return permits.number() < most();
    }

    @Override
    void retire() {
        permits.close();
    }

    @Override
    boolean retireIfIdle(long nowMillis) {
        return permits.closeIfThereAre(most());
    }

    @Override
    boolean isRetired() {
        return permits.isClosed();
    }
}
