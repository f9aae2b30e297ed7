package dev.sluice.benchmarks.trouble;

/** The promises that must hold in a scene. */
enum Promise {
    /**
     * Each call receives a response with status 200 or 429, except for calls in flight on an instance that is killed.
     */
    ANSWERED("answered"),
    /**
     * The number of calls beyond a threshold is at most the slack plus the number that the documentation allows in this
     * scene.
     */
    WITHIN("over, of at most"),
    /** No call is refused before its limit is used up, unless the documentation allows it. */
    NOT_EARLY("early"),
    /** Soon after the last call, the total in the store equals the number of admitted calls. */
    COUNTED("counted"),
    /** Soon after the failure, new callers get exactly their limit, and the store counts their calls. */
    RECOVERED("well again"),
    /**
     * The number of calls beyond a limit does not exceed the slack, and no call is refused early, even where the
     * documentation would allow it.
     */
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
