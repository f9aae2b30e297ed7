package dev.sluice.limiter;

/** Places for calls under way in this process: whoever takes one puts it back in the end. */
final class Places extends Pool {

    private final long number;
    private final Permits permits;

    /** All places are free. */
    Places(Counter counter, long number) {
        super(counter);
        this.number = number;
        this.permits = new Permits(number);
    }

    @Override
    long take(long cost, long nowMillis, int holders) {
        return permits.take(cost, shut(), holders);
    }

    @Override
    void keep() {
        permits.keep();
    }

    @Override
    void giveBack(long cost, long reading, long takenAtMillis) {
        permits.giveBack(cost);
    }

    @Override
    void putBack(long cost, long reading, long takenAtMillis) {
        permits.pour(cost);
    }

    @Override
    void charge(long amount, long nowMillis) {
        // what is paid afterwards takes no place
    }

    @Override
    boolean surelyShortOf(long cost, long nowMillis) {
        return permits.surelyShortOf(cost + shut());
    }

    @Override
    long reading(long nowMillis) {
        return permits.left();
    }

    @Override
    long rest(long reading, long nowMillis) {
        return reading;
    }

    @Override
    long resetMillis(long reading, long nowMillis) {
        return permits.left() == number ? 0 : SOON_MILLIS;
    }

    @Override
    long retryMillis(long cost, long nowMillis) {
        return SOON_MILLIS;
    }

    @Override
    void close() {
        permits.close();
    }

    @Override
    boolean closeIfIdle(long nowMillis) {
        return permits.closeIfThereAre(number);
    }

    /** Whether some call is under way. */
    boolean isUsed() {
        return permits.number() < number;
    }
}
