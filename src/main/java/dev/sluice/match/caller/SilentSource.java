package dev.sluice.match.caller;

/** Is told of a source of subjects that yields nothing. */
@FunctionalInterface
public interface SilentSource {

    /** Hears nothing. */
    SilentSource IGNORED = (source, calls, authenticated) -> {};

    /**
     * A source has been asked for so many calls, and has yielded nothing for any.
     *
     * @param source as the file names it
     * @param authenticated whether the last of these calls was authenticated
     */
    void silent(String source, int calls, boolean authenticated);
}
