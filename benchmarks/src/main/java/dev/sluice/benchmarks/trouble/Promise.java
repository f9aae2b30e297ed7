package dev.sluice.benchmarks.trouble;

/** What must hold in a scene. */
enum Promise {
    /** Each call is answered with 200 or 429, but for calls under way on an instance that is killed. */
    ANSWERED("answered"),
    /** No threshold is passed by more than slack and what the documentation concedes in this trouble. */
    WITHIN("over, of at most"),
    /** No call is refused before its limit is used up, but where the documentation says so. */
    NOT_EARLY("early"),
    /** Soon after the last call the store's total is what was admitted. */
    COUNTED("counted"),
    /** Soon after the trouble, new callers get the whole limit and no more, and the store counts them. */
    RECOVERED("well again"),
    /** Only slack passes and nobody is refused early, whatever the documentation concedes. */
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
