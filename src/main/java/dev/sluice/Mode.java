package dev.sluice;

/** What happens to a call over its limit. */
public enum Mode {
    /** It is refused. */
    ENFORCE,
    /** It passes, and is reported as a call that would be refused. */
    DRY_RUN,
    /** Nothing is counted or decided. */
    OFF
}
