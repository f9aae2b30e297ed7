package dev.sluice.cli.limits;

import dev.sluice.internal.store.admin.StoredOverride;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@code --why} and {@code --by} options. The history shows their values next to the change. */
final class NoteOptions {

    @Option(names = "--why", paramLabel = "TEXT", description = "The reason, shown by list, get and history.")
    private String why = "";

    @Option(
            names = "--by",
            paramLabel = "NAME",
            description = "The operator, shown by history; default: the user and the host, such as eve@ops-1.")
    private @Nullable String by;

    NoteOptions() {}

    /**
     * Returns the note for a change.
     *
     * @param lasts the time for which the change applies; zero if it does not expire
     */
    StoredOverride.Note note(Duration lasts) {
        return new StoredOverride.Note(lasts, by == null || by.isBlank() ? OperatorName.get() : by, why);
    }
}
