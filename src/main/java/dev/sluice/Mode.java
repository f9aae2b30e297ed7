package dev.sluice;

/** What becomes of a call over its limit. */
public enum Mode {
    /** It is refused. */
    ENFORCE,
    /** It passes, and is reported as one that would be refused. */
    DRY_RUN,
    /** Nothing is counted or decided. */
    OFF
}
