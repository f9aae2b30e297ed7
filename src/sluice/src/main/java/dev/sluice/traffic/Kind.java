package dev.sluice.traffic;

import dev.sluice.Decision;

/** The outcome of a call, as tallied in the traffic. */
enum Kind {
    ALLOWED(0),
    REFUSED(1),
    /** The call passed only because of a dry run. */
    WOULD_REFUSE(2);

    static final int COUNT = values().length;

    /** The index of this kind in an array of counts. */
    final int at;

    Kind(int at) {
        this.at = at;
    }

    static Kind of(Decision decision) {
        if (!decision.admitted()) {
            return REFUSED;
        }
        return decision.outcome() == Decision.Outcome.WOULD_REFUSE ? WOULD_REFUSE : ALLOWED;
    }
}
