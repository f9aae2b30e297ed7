package dev.sluice.cli.limits;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import java.util.function.Supplier;

/** Adds to a store failure's message whether the command might have changed something. */
final class StoreChange {

    private StoreChange() {}

    /** Reads from the store before a change. If this fails, the message states that nothing was changed. */
    static <T> T before(Supplier<T> look) {
        return orExplain(look, "; nothing was changed");
    }

    /**
     * Makes a change. If the store fails during the change, the message states that the change might still have been
     * applied.
     */
    static <T> T of(Supplier<T> change) {
        return orExplain(change, "; the limit might have been changed; check with sluice limits get");
    }

    private static <T> T orExplain(Supplier<T> work, String more) {
        try {
            return work.get();
        } catch (CommandFailure e) {
            throw e.exitCode() == ExitCodes.STORE_UNAVAILABLE
                    ? new CommandFailure(ExitCodes.STORE_UNAVAILABLE, e.getMessage() + more, e)
                    : e;
        }
    }
}
