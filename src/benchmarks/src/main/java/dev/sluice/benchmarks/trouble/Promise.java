package dev.sluice.benchmarks.trouble;

/** The promises that must hold in a scene. */
enum Promise {
    /** Each call is answered with 200 or 429, except calls in flight on an instance that is killed. */
    ANSWERED("answered"),
    /**
     * The number of calls beyond a threshold is at most the slack, plus the number that the documentation concedes in
     * this trouble.
     */
    WITHIN("over, of at most"),
    /** No call is refused before its limit is used up, except where the documentation says so. */
    NOT_EARLY("early"),
    /** Soon after the last call, the total in the store is the number of admitted calls. */
    COUNTED("counted"),
    /** Soon after the trouble, new callers get exactly their limit, and the store records them. */
    RECOVERED("well again"),
    /** At most slack passes beyond a limit and no call is refused early, whatever the documentation concedes. */
    EXACT("exact");

    private final String words;

    Promise(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
