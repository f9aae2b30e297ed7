package dev.sluice.cli.limits;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import java.util.function.Supplier;

/** What is said of a change in the store where that fails: whether it was made. */
final class StoreChange {

    private StoreChange() {}

    /** Looks at something before a change. */
    static <T> T before(Supplier<T> look) {
        return told(look, "; nothing was changed");
    }

    /** Makes a change. If the store fails meanwhile, it may have been made all the same. */
    static <T> T of(Supplier<T> change) {
        return told(change, "; whether the limit was changed is not known: see sluice limits get");
    }

    private static <T> T told(Supplier<T> work, String more) {
        try {
            return work.get();
        } catch (CommandFailure e) {
            throw e.exitCode() == ExitCodes.STORE_AWAY
                    ? new CommandFailure(ExitCodes.STORE_AWAY, e.getMessage() + more, e)
                    : e;
        }
    }
}
